--- What the tests do in Neovim, and what they see there.
local M = {}

--- How long Neovim may take until it shows what a test expects, in milliseconds.
local patience = 30000

--- Waits until `see` gives `expected`, and fails with what was there instead.
function M.wait_for(expected, see)
  local seen
  local met = vim.wait(patience, function()
    seen = see()
    return vim.deep_equal(seen, expected)
  end, 20)
  if not met then
    error(('expected %s\nbut there is %s'):format(vim.inspect(expected), vim.inspect(seen)), 0)
  end
end

--- Opens a file of the workspace as it is on disk.
function M.open(name)
  vim.cmd.edit({ vim.env.ADMISSIBLE_TEST_WORKSPACE .. '/' .. name, bang = true })
  return vim.api.nvim_get_current_buf()
end

--- Shows a file that is only in a buffer so far.
function M.open_new(path)
  vim.cmd.buffer(vim.fn.bufnr(path))
  return vim.api.nvim_get_current_buf()
end

--- Types `keys` with the cursor on the only place of `text`, as a user does with the keyboard.
function M.type_at(text, keys)
  local places = {}
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      table.insert(places, { number, column - 1 })
    end
  end
  assert(#places == 1, ("'%s' is on %d lines"):format(text, #places))
  vim.api.nvim_win_set_cursor(0, places[1])
  vim.api.nvim_feedkeys(vim.keycode(keys), 'xt', false)
end

--- The findings of the server: severity, code, place counted from 1 (columns in bytes), the text there.
function M.findings(buffer)
  local all = vim.tbl_filter(function(diagnostic)
    return diagnostic.source == 'admissible'
  end, vim.diagnostic.get(buffer))
  table.sort(all, function(a, b)
    return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col)
  end)
  return vim.tbl_map(function(it)
    local text = vim.api.nvim_buf_get_text(buffer, it.lnum, it.col, it.end_lnum, it.end_col, {})
    local severity = vim.diagnostic.severity[it.severity]:lower()
    local place = ('%d:%d-%d:%d'):format(it.lnum + 1, it.col + 1, it.end_lnum + 1, it.end_col + 1)
    return ('%s %s %s %s'):format(severity, it.code, place, table.concat(text, '\n'))
  end, all)
end

--- What the lenses say, from top to bottom.
local function lens_titles(buffer)
  local has_filter = vim.fn.has('nvim-0.12') == 1
  local lenses = vim.lsp.codelens.get(has_filter and { bufnr = buffer } or buffer)
  local said = {}
  for _, found in ipairs(lenses) do
    local lens = found.lens or found
    if lens.command then
      table.insert(said, { lens.range.start.line, lens.command.title })
    end
  end
  table.sort(said, function(a, b)
    return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])
  end)
  return vim.tbl_map(function(it)
    return it[2]
  end, said)
end

--- Waits until the lenses say `expected`.
function M.wait_for_lenses(expected, buffer)
  local said
  for _ = 1, patience / 100 do
    -- A lens is resolved when it is drawn, and nothing is drawn while Neovim waits.
    vim.cmd('redraw!')
    local met = vim.wait(100, function()
      said = lens_titles(buffer)
      return vim.deep_equal(said, expected)
    end, 20)
    if met then
      return
    end
  end
  error(('expected %s\nbut the lenses say %s'):format(vim.inspect(expected), vim.inspect(said)), 0)
end

--- The values beside the expressions, with their lines counted from 1.
function M.hints(buffer)
  local all = vim.tbl_map(function(it)
    return it.inlay_hint
  end, vim.lsp.inlay_hint.get({ bufnr = buffer }))
  table.sort(all, function(a, b)
    local here, there = a.position, b.position
    return here.line < there.line or (here.line == there.line and here.character < there.character)
  end)
  return vim.tbl_map(function(hint)
    return ('%d: %s'):format(hint.position.line + 1, hint.label)
  end, all)
end

--- The text of the floating window.
function M.float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      return table.concat(lines, '\n')
    end
  end
  return ''
end

--- The texts of the windows of this tab that are compared, from left to right.
function M.diff()
  local compared = vim.tbl_filter(function(window)
    return vim.wo[window].diff
  end, vim.api.nvim_tabpage_list_wins(0))
  return vim.tbl_map(function(window)
    return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
  end, compared)
end

--- The text of `:checkhealth admissible`.
function M.health()
  vim.cmd('silent checkhealth admissible')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd.bwipeout()
  return text
end

--- Fails when `text` does not contain `part`.
function M.assert_contains(text, part)
  assert(text:find(part, 1, true), ("'%s' is not in:\n%s"):format(part, text))
end

--- Ends every server and waits until it is gone.
function M.stop_servers()
  for _, client in ipairs(vim.lsp.get_clients()) do
    if vim.fn.has('nvim-0.11') == 1 then
      client:stop()
    else
      client.stop()
    end
  end
  M.wait_for(0, function()
    return #vim.lsp.get_clients()
  end)
end

return M
