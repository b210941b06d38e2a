--- The language server Admissible in Neovim: `require('admissible').setup()`.
local M = {}

--- Whether this Neovim starts servers itself, which 0.10 does not.
local has_lsp_config = vim.fn.has('nvim-0.11') == 1

---@class admissible.Options
--- The program and its arguments. The default is `{ 'admissible', 'lsp' }`.
---@field cmd? string[]
--- The settings of the server, such as `{ rules = { ['unused-variable'] = 'off' } }`, and
--- `{ kubernetes = '1.30..1.36' }` for the versions that the policies target, and
--- `{ liveValues = true }` to show the values of all expressions while you type.
---@field settings? admissible.Settings

---@class admissible.Settings
---@field rules? table<string, 'off'|'information'|'warning'|'error'|'hint'>
---@field kubernetes? string
---@field format? { lineWidth?: integer }
---@field liveValues? boolean
---@field completion? { manifestKeys?: 'auto'|'on'|'off' }

--- The configuration of `setup`, for `:checkhealth`.
---@type vim.lsp.ClientConfig?
local configured

--- Starts the server for every YAML and JSON file and `admissible.toml`, including those that are already open.
---@param options? admissible.Options
function M.setup(options)
  options = options or {}
  vim.validate({
    cmd = { options.cmd, 'table', true },
    settings = { options.settings, 'table', true },
  })
  local changes = { cmd = options.cmd, settings = { admissible = options.settings } }
  configured = vim.tbl_deep_extend('force', require('admissible.config'), changes)
  local program = configured.cmd[1]
  if vim.fn.executable(program) == 0 then
    vim.notify(M.missing(program), vim.log.levels.ERROR)
    return
  end
  if has_lsp_config then
    vim.lsp.config('admissible', changes)
    vim.lsp.enable('admissible')
  else
    M._start_on_file_type(configured)
  end
end

--- Evaluates the expression at the cursor: shows its value next to it and the values of its parts
--- in a floating window, as |vim.lsp.codelens.run()| does on its line.
function M.evaluate()
  require('admissible.evaluation').evaluate_here()
end

--- Lets the user select the input against which the policy at the cursor is evaluated.
function M.choose_input()
  require('admissible.evaluation').choose_input_here()
end

--- Turns live mode of the current buffer on or off.
---@param on? boolean Toggles live mode if it is nil.
function M.live_values(on)
  require('admissible.evaluation').live_values(on)
end

--- Shows what the MutatingAdmissionPolicy at the cursor changes, side by side in a new tab.
function M.show_mutation()
  require('admissible.evaluation').show_mutation_here()
end

--- Hides the values next to the expressions of the current buffer.
function M.hide_values()
  require('admissible.evaluation').hide_values()
end

--- Runs the tests of the project, and lists those that fail in the quickfix list.
---@param with_passed? boolean Lists also those that pass.
function M.test(with_passed)
  require('admissible.tests').run(with_passed or false)
end

--- Writes a new policy, in a new file.
function M.new_policy()
  require('admissible.create').policy()
end

--- Writes a new binding of a policy of the workspace, in a new file.
function M.new_binding()
  require('admissible.create').binding()
end

--- Creates an input of the policy at the cursor, and shows it beside the policy.
function M.new_input()
  require('admissible.create').input()
end

--- Restarts the server of the current buffer.
function M.restart()
  require('admissible.server').restart()
end

--- Shows the log of the server.
function M.show_log()
  vim.cmd.tabedit(vim.fn.fnameescape(require('vim.lsp.log').get_filename()))
end

--- Returns the message for a missing program.
---@param program string
---@return string
function M.missing(program)
  return ("Admissible cannot start: program '%s' not found. "):format(program)
    .. "Install it, or set its path: require('admissible').setup({ cmd = { '/path/to/admissible', 'lsp' } })"
end

--- The current configuration: that of `setup`, or of `vim.lsp.config` if `setup` was not called.
---@return vim.lsp.ClientConfig
function M.config()
  if configured then
    return configured
  end
  return has_lsp_config and vim.lsp.config.admissible or require('admissible.config')
end

--- The same as `vim.lsp.enable`, for Neovim 0.10.
---@param config vim.lsp.ClientConfig
function M._start_on_file_type(config)
  local function start(buffer)
    if vim.bo[buffer].buftype == '' then
      local root = vim.fs.root(buffer, config.root_markers)
      vim.lsp.start(vim.tbl_extend('force', config, { root_dir = root }), {
        bufnr = buffer,
        -- Unlike the default, files outside of any project share one server.
        reuse_client = function(client, new)
          return client.name == new.name and client.root_dir == new.root_dir
        end,
      })
    end
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('admissible', { clear = true }),
    pattern = config.filetypes,
    callback = function(event)
      start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.list_contains(config.filetypes, vim.bo[buffer].filetype) then
      start(buffer)
    end
  end
end

return M
