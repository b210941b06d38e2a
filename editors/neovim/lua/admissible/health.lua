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
  M._check_parser()
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

--- Reports the files of a project that decide how it is checked.
---@param root string
local function check_project(root)
  local config = root .. '/admissible.toml'
  if vim.fn.filereadable(config) == 1 then
    vim.health.ok('project: ' .. config)
  else
    vim.health.info(('project: the folder, with default settings. `admissible init` in %s writes admissible.toml'):format(root))
  end
end

function M._check_clients()
  local clients = vim.lsp.get_clients({ name = 'admissible' })
  if #clients == 0 then
    vim.health.info("the server is not running: open a YAML file after require('admissible').setup()")
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    local version = vim.tbl_get(client, 'server_info', 'version') or 'of an unknown version'
    vim.health.ok(('the server %s is running for %d buffer(s), root: %s'):format(version, buffers, client.root_dir or 'none'))
    if client.root_dir then
      check_project(client.root_dir)
    else
      vim.health.warn('no root: bindings, inputs and definitions in other files are not found', {
        'Create admissible.toml in the folder of the policies: `admissible init`.',
        'Or open the file in a Git repository.',
      })
    end
    for buffer in pairs(client.attached_buffers) do
      if require('admissible.yaml_schemas').is_completed_elsewhere(buffer) then
        vim.health.info('yaml-language-server completes the keys of manifests')
        break
      end
    end
  end
end

--- Reports the tree-sitter parser, which is optional.
function M._check_parser()
  if pcall(vim.treesitter.language.inspect, 'cel') then
    vim.health.ok('tree-sitter: the parser of CEL is installed')
  else
    vim.health.info('tree-sitter: the parser of CEL is not installed. See |admissible-tree-sitter|')
  end
end

return M
