--- The change of a mutation: the object before and after it, side by side in a new tab.
local M = {}

--- Returns a buffer that is not a file, cannot be changed, and is deleted with its window.
---@param name string
---@param text string
---@return integer
local function scratch(name, text)
  local earlier = vim.fn.bufnr('^' .. vim.fn.escape(name, '\\[]*?{},') .. '$')
  if earlier ~= -1 then
    vim.api.nvim_buf_delete(earlier, { force = true })
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split((text:gsub('\n$', '')), '\n'))
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'yaml'
  vim.bo[buffer].modifiable = false
  return buffer
end

---@param buffer integer
local function show(buffer)
  vim.api.nvim_win_set_buf(0, buffer)
  vim.cmd.diffthis()
end

--- Opens both objects.
---@param mutation { title: string, before: string, after: string, errors: string[] }
function M.show(mutation)
  if #mutation.errors > 0 then
    vim.notify(table.concat(mutation.errors, '\n'), vim.log.levels.WARN)
  end
  local before = scratch(('admissible://%s/before'):format(mutation.title), mutation.before)
  local after = scratch(('admissible://%s/after'):format(mutation.title), mutation.after)
  vim.cmd('tab split')
  show(before)
  vim.cmd('rightbelow vsplit')
  show(after)
end

return M
