--- What the server evaluates. Lenses and values come from the server; this keeps them fresh, shows
--- the values of the parts of an expression, and lets the user choose the manifest that is tried.
local M = {}

local evaluate = 'admissible.evaluate'
local select_sample = 'admissible.selectSample'
local hide_values = 'admissible.hideValues'

--- What this client can do: everything that Neovim can, show the results of the commands, and ask
--- for the lenses again when it is told to, which Neovim before 0.12 cannot do by itself.
function M.capabilities()
  local ours = {
    workspace = { codeLens = { refreshSupport = true } },
    experimental = { admissible = { showsResults = true } },
  }
  return vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), ours)
end

--- What this client answers beside what Neovim does.
function M.handlers()
  if vim.fn.has('nvim-0.12') == 1 then
    return {}
  end
  return {
    ['workspace/codeLens/refresh'] = function(_, _, context)
      for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
        vim.lsp.codelens.refresh({ bufnr = buffer })
      end
      return vim.NIL
    end,
  }
end

--- Runs a command of the server and gives its result to `show`.
---@param client vim.lsp.Client
---@param command string
---@param argument table
---@param show? fun(result: any)
local function execute(client, command, argument, show)
  local function answered(err, result)
    if err then
      vim.notify('Admissible: ' .. err.message, vim.log.levels.ERROR)
    elseif show then
      show(result)
    end
  end
  local params = { command = command, arguments = { argument } }
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, answered)
  else
    client.request('workspace/executeCommand', params, answered)
  end
end

---@param buffer integer
---@return fun(result: any)
local function show_value(buffer)
  return function(result)
    if not result or result == vim.NIL then
      vim.notify('There is no expression here, or no manifest at hand that the policy matches.')
      return
    end
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    vim.lsp.util.open_floating_preview(vim.split(vim.trim(result.report), '\n'), '', { focus = false })
  end
end

vim.lsp.commands[evaluate] = function(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if client then
    execute(client, evaluate, command.arguments[1], show_value(vim.uri_to_bufnr(command.arguments[1].uri)))
  end
end

vim.lsp.commands[select_sample] = function(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return
  end
  execute(client, select_sample, command.arguments[1], function(samples)
    local options = {
      prompt = 'Which manifest shall the policy be tried on?',
      format_item = function(it)
        return ('%s%s: %s'):format(it.chosen and '* ' or '', it.label, it.decision)
      end,
    }
    vim.ui.select(samples or {}, options, function(choice)
      if choice then
        local argument = vim.tbl_extend('force', command.arguments[1], { sample = choice.sample })
        execute(client, select_sample, argument)
      end
    end)
  end)
end

--- Evaluates the expression at the cursor.
function M.evaluate_here()
  local buffer = vim.api.nvim_get_current_buf()
  for _, client in ipairs(vim.lsp.get_clients({ name = 'admissible', bufnr = buffer })) do
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    local argument = { uri = params.textDocument.uri, position = params.position }
    execute(client, evaluate, argument, show_value(buffer))
  end
end

--- Hides the values in the current buffer.
function M.hide_values()
  local buffer = vim.api.nvim_get_current_buf()
  for _, client in ipairs(vim.lsp.get_clients({ name = 'admissible', bufnr = buffer })) do
    execute(client, hide_values, { uri = vim.uri_from_bufnr(buffer) })
  end
end

--- Shows the lenses in every buffer that the server has, and renews them as the text changes.
function M.attach_lenses()
  local group = vim.api.nvim_create_augroup('admissible.lenses', { clear = true })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= 'admissible' then
        return
      end
      if vim.fn.has('nvim-0.12') == 1 then
        vim.lsp.codelens.enable(true, { bufnr = event.buf })
        return
      end
      local function refresh()
        vim.lsp.codelens.refresh({ bufnr = event.buf })
      end
      vim.api.nvim_clear_autocmds({ group = group, buffer = event.buf })
      vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
        group = group,
        buffer = event.buf,
        callback = refresh,
      })
      refresh()
    end,
  })
end

return M
