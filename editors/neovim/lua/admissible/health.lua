--- `:checkhealth admissible`: checks the program and the running server.
local M = {}

function M.check()
  vim.health.start('admissible')
  if vim.fn.has('nvim-0.10') == 0 then
    vim.health.error('Neovim is too old', { 'Install Neovim 0.10 or newer.' })
    return
  end
  vim.health.ok('Neovim ' .. tostring(vim.version()))
  if M._check_program(require('admissible').config().cmd[1]) then
    M._check_clients()
  end
end

--- Runs the program. Returns whether it succeeds.
---@param name string
---@return boolean
function M._check_program(name)
  local program = vim.fn.exepath(name)
  if program == '' then
    vim.health.error(("program '%s' not found"):format(name), {
      'Install it, or add its folder to PATH.',
      "Or set its path: require('admissible').setup({ cmd = { '/path/to/admissible', 'lsp' } })",
    })
    return false
  end
  local answer = vim.system({ program, '--version' }, { text = true, timeout = 5000 }):wait()
  if answer.code ~= 0 then
    vim.health.error(("'%s --version' failed with exit code %d"):format(program, answer.code), vim.trim(answer.stderr or ''))
    return false
  end
  vim.health.ok(('%s is %s'):format(program, vim.trim(answer.stdout)))
  return true
end

function M._check_clients()
  local clients = vim.lsp.get_clients({ name = 'admissible' })
  if #clients == 0 then
    vim.health.info("the server is not running: open a YAML file after require('admissible').setup()")
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    vim.health.ok(('the server is running for %d buffer(s), root: %s'):format(buffers, client.root_dir or 'none'))
  end
end

return M
