--- Evaluations. Lenses and values come from the server; this keeps them up to date, and shows the rest:
--- the report of an expression, the list of inputs, and the change of a mutation.
local server = require('admissible.server')

local M = {}

local commands = {
  evaluate = 'admissible.evaluate',
  select_input = 'admissible.selectInput',
  live_values = 'admissible.liveValues',
  show_mutation = 'admissible.showMutation',
  hide_values = 'admissible.hideValues',
}

--- The capabilities of this client: those of Neovim, showing the results of commands, and refreshing
--- lenses, which Neovim before 0.12 does not do itself. Neovim applies document changes, but without
--- announcing it gets edits without a version.
function M.capabilities()
  local ours = {
    workspace = {
      codeLens = { refreshSupport = true },
      workspaceEdit = { documentChanges = true },
    },
    experimental = { admissible = { showsResults = true } },
  }
  return vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), ours)
end

--- The pending requests for lenses, by client and buffer: whether to request them again afterward.
local asked = {}

--- Requests the lenses of a buffer, for Neovim before 0.12. `vim.lsp.codelens.refresh` ignores a call
--- while a request is pending, whose response may be outdated.
---@param client vim.lsp.Client
---@param buffer integer
local function refresh_lenses(client, buffer)
  local key = ('%d %d'):format(client.id, buffer)
  if asked[key] ~= nil then
    asked[key] = true
    return
  end
  asked[key] = false
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  server.request(client, 'textDocument/codeLens', params, function(err, result, context, config)
    local again = asked[key]
    asked[key] = nil
    if not vim.api.nvim_buf_is_loaded(buffer) then
      return
    end
    vim.lsp.codelens.on_codelens(err, result, context, config)
    if again then
      refresh_lenses(client, buffer)
    end
  end, buffer)
end

--- The requests that this client handles in addition to Neovim.
function M.handlers()
  local apply_edit = require('admissible.create').apply_edit
  if vim.fn.has('nvim-0.12') == 1 then
    return { ['workspace/applyEdit'] = apply_edit }
  end
  return {
    ['workspace/applyEdit'] = apply_edit,
    ['workspace/codeLens/refresh'] = function(_, _, context)
      local client = assert(vim.lsp.get_client_by_id(context.client_id))
      for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(client.id)) do
        refresh_lenses(client, buffer)
      end
      return vim.NIL
    end,
  }
end

---@param client vim.lsp.Client
---@param argument table
local function evaluate(client, argument)
  server.execute(client, commands.evaluate, argument, function(result)
    vim.lsp.inlay_hint.enable(true, { bufnr = vim.uri_to_bufnr(argument.uri) })
    vim.lsp.util.open_floating_preview(vim.split(vim.trim(result.report), '\n'), '', { focus = false })
  end)
end

---@param choice { label: string, decision: string, messages: string[], chosen: boolean }
---@return string
local function item(choice)
  local text = ('%s %s: %s'):format(choice.chosen and '*' or ' ', choice.label, choice.decision)
  return #choice.messages == 0 and text or ('%s (%s)'):format(text, table.concat(choice.messages, ' '))
end

---@param client vim.lsp.Client
---@param argument table
local function choose_input(client, argument)
  server.execute(client, commands.select_input, argument, function(choices)
    local options = { prompt = 'Select an input to evaluate the policy against', format_item = item }
    vim.ui.select(choices, options, function(choice)
      if choice then
        server.execute(client, commands.select_input, vim.tbl_extend('force', argument, { input = choice.input }))
      end
    end)
  end)
end

---@param client vim.lsp.Client
---@param argument table
local function live_values(client, argument)
  server.execute(client, commands.live_values, argument, function(result)
    if result.on then
      vim.lsp.inlay_hint.enable(true, { bufnr = vim.uri_to_bufnr(argument.uri) })
    end
    vim.notify(result.on and 'Live values on.' or 'Live values off.')
  end)
end

---@param client vim.lsp.Client
---@param argument table
local function show_mutation(client, argument)
  server.execute(client, commands.show_mutation, argument, function(result)
    require('admissible.mutation').show(result)
  end)
end

--- The commands of lenses.
for command, run in pairs({
  [commands.evaluate] = evaluate,
  [commands.select_input] = choose_input,
  [commands.show_mutation] = show_mutation,
}) do
  vim.lsp.commands[command] = function(lens, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      run(client, lens.arguments[1])
    end
  end
end

--- Evaluates the expression at the cursor.
function M.evaluate_here()
  server.at_cursor(evaluate)
end

--- Lets the user select the input of the policy at the cursor.
function M.choose_input_here()
  server.at_cursor(choose_input)
end

--- Shows what the policy at the cursor changes.
function M.show_mutation_here()
  server.at_cursor(show_mutation)
end

--- Turns live mode of the current buffer on or off. Toggles it if `on` is nil.
---@param on? boolean
function M.live_values(on)
  server.at_cursor(function(client, argument)
    live_values(client, { uri = argument.uri, on = on })
  end)
end

--- Hides the values in the current buffer.
function M.hide_values()
  server.at_cursor(function(client, argument)
    server.execute(client, commands.hide_values, { uri = argument.uri })
  end)
end

--- Draws the lines of a buffer again whose lenses were replaced. Neovim 0.12 draws the lenses of a line
--- once for each version of the text, so that those of a second response stay without a title.
local function redraw_lenses(buffer)
  local found, capability = pcall(require, 'vim.lsp._capability')
  local provider = found and vim.tbl_get(capability, 'all', 'codelens', 'active', buffer)
  if provider and provider.row_version and vim.api.nvim_buf_is_valid(buffer) then
    provider.row_version = {}
    vim.api.nvim__redraw({ buf = buffer, valid = true, flush = false })
  end
end

--- Shows the lenses in every buffer of the server, and updates them as the text changes.
function M.attach_lenses()
  local group = vim.api.nvim_create_augroup('admissible.lenses', { clear = true })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= 'admissible' then
        return
      end
      local settings = vim.tbl_get(client.config, 'settings', 'admissible') or {}
      if settings.liveValues then
        vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
      end
      if vim.fn.has('nvim-0.12') == 1 then
        vim.lsp.codelens.enable(true, { bufnr = event.buf })
        vim.api.nvim_clear_autocmds({ group = group, event = 'LspRequest', buffer = event.buf })
        vim.api.nvim_create_autocmd('LspRequest', {
          group = group,
          buffer = event.buf,
          callback = function(sent)
            local request = sent.data.request
            if request.method == 'textDocument/codeLens' and request.type == 'complete' then
              vim.schedule(function()
                redraw_lenses(sent.buf)
              end)
            end
          end,
        })
        return
      end
      local function refresh()
        refresh_lenses(client, event.buf)
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
