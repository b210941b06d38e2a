--- New policies, bindings and inputs. The text comes from the server, which completes whole documents in an
--- empty one.
local server = require('admissible.server')

local M = {}

local kinds = { 'ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy', 'CustomResourceDefinition' }

--- Calls `run` with the server of a buffer once it has started.
---@param buffer integer
---@param run fun(client: vim.lsp.Client)
local function with_server(buffer, run)
  local function look(tries)
    local client = vim.lsp.get_clients({ name = 'admissible', bufnr = buffer })[1]
    if client and client.initialized then
      run(client)
    elseif tries == 0 then
      vim.notify('Admissible: the server does not run for this file. See :checkhealth admissible.', vim.log.levels.ERROR)
    else
      vim.defer_fn(function()
        look(tries - 1)
      end, 50)
    end
  end
  look(100)
end

--- The skeleton of a kind in a completion of an empty document.
---@param result any
---@param kind string
---@return string?
local function skeleton(result, kind)
  for _, item in ipairs(result and (result.items or result) or {}) do
    if item.label == kind and item.kind == vim.lsp.protocol.CompletionItemKind.Snippet then
      return item.textEdit and item.textEdit.newText or item.insertText
    end
  end
end

--- Opens a new file with the skeleton of a kind, with the cursor in its first blank.
---@param path string
---@param kind string
---@param policy? string
local function open(path, kind, policy)
  vim.cmd.edit(vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  if vim.fn.line('$') > 1 or vim.fn.getline(1) ~= '' then
    vim.notify(('Admissible: %s is not empty.'):format(path), vim.log.levels.ERROR)
    return
  end
  with_server(buffer, function(client)
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    server.request(client, 'textDocument/completion', params, function(_, result)
      local text = skeleton(result, kind)
      if not text then
        vim.notify(('Admissible: the server offers no %s here.'):format(kind), vim.log.levels.ERROR)
        return
      end
      if policy then
        -- The name is a placeholder for a client with snippets.
        local name = policy:gsub('[\\$}]', '\\%0'):gsub('%%', '%%%%')
        text = text:gsub('policyName: %${%d+:policy}', 'policyName: ' .. name):gsub('policyName: policy\n', 'policyName: ' .. name .. '\n')
      end
      vim.cmd.startinsert()
      vim.snippet.expand(text)
    end, buffer)
  end)
end

--- Asks for the file, then opens it.
local function ask_file(default, kind, policy)
  vim.ui.input({ prompt = 'File: ', default = default, completion = 'file' }, function(path)
    if path and path ~= '' then
      open(path, kind, policy)
    end
  end)
end

--- Writes a new policy.
function M.policy()
  vim.ui.select(kinds, { prompt = 'Kind of the policy' }, function(kind)
    if kind then
      ask_file('policy.yaml', kind)
    end
  end)
end

--- Writes a new binding of a policy of the workspace.
function M.binding()
  with_server(0, function(client)
    server.execute(client, 'admissible.listPolicies', nil, function(policies)
      policies = vim.tbl_filter(function(it)
        return it.kind:find('AdmissionPolicy$') ~= nil
      end, policies)
      local options = {
        prompt = 'Policy to put into effect',
        format_item = function(it)
          return ('%s (%s)'):format(it.name, it.kind)
        end,
      }
      vim.ui.select(policies, options, function(it)
        if it then
          ask_file(it.name .. '-binding.yaml', it.kind .. 'Binding', it.name)
        end
      end)
    end)
  end)
end

--- Creates an input of the policy at the cursor.
function M.input()
  server.at_cursor(function(client, argument)
    server.execute(client, 'admissible.createInput', argument)
  end)
end

--- Shows an inputs file beside the policy, with the cursor on the first name after a line.
local function show(uri, line)
  local buffer = vim.uri_to_bufnr(uri)
  vim.fn.bufload(buffer)
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    vim.cmd('rightbelow vsplit')
    vim.api.nvim_win_set_buf(0, buffer)
  else
    vim.api.nvim_set_current_win(window)
  end
  for number, text in ipairs(vim.api.nvim_buf_get_lines(buffer, line, -1, false)) do
    if vim.startswith(text, 'name: ') then
      vim.api.nvim_win_set_cursor(0, { line + number, #'name: ' })
      return
    end
  end
end

--- Applies an edit of the server. The only edits that it sends by itself create inputs.
function M.apply_edit(err, params, context, config)
  local result = vim.lsp.handlers['workspace/applyEdit'](err, params, context, config)
  if type(result) == 'table' and result.applied then
    for _, change in ipairs(params.edit.documentChanges or {}) do
      if change.textDocument and change.edits[1] then
        show(change.textDocument.uri, change.edits[1].range.start.line)
      end
    end
  end
  return result
end

return M
