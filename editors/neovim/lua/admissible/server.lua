--- Requests to the servers of a buffer, in any version of Neovim.
local M = {}

--- Sends a request, in any version of Neovim.
---@param client vim.lsp.Client
function M.request(client, method, params, answered, buffer)
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answered, buffer)
  else
    client.request(method, params, answered, buffer)
  end
end

--- Sends a notification, in any version of Neovim.
---@param client vim.lsp.Client
function M.notify(client, method, params)
  if vim.fn.has('nvim-0.11') == 1 then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

--- Runs a command of the server and passes its result to `show`. If there is none, the server shows the reason.
---@param client vim.lsp.Client
---@param command string
---@param argument? table
---@param show? fun(result: any)
function M.execute(client, command, argument, show)
  local function answered(err, result)
    if err then
      vim.notify('Admissible: ' .. err.message, vim.log.levels.ERROR)
    elseif show and result and result ~= vim.NIL and not vim.tbl_isempty(result) then
      show(result)
    end
  end
  local params = { command = command, arguments = argument and { argument } or {} }
  M.request(client, 'workspace/executeCommand', params, answered)
end

--- Ends a server.
---@param client vim.lsp.Client
function M.stop(client)
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop()
  else
    client.stop()
  end
end

--- The servers of the current buffer.
---@return vim.lsp.Client[]
function M.here()
  return vim.lsp.get_clients({ name = 'admissible', bufnr = 0 })
end

--- Calls `run` with the position of the cursor, for every server of the current buffer.
---@param run fun(client: vim.lsp.Client, argument: table)
function M.at_cursor(run)
  for _, client in ipairs(M.here()) do
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    run(client, { uri = params.textDocument.uri, position = params.position })
  end
end

--- Ends the servers of the current buffer and starts them again, for all of their buffers.
function M.restart()
  for _, client in ipairs(M.here()) do
    local buffers = vim.tbl_keys(client.attached_buffers)
    local function start()
      if vim.lsp.get_client_by_id(client.id) then
        vim.defer_fn(start, 50)
        return
      end
      for _, buffer in ipairs(buffers) do
        if vim.api.nvim_buf_is_loaded(buffer) then
          vim.lsp.start(client.config, { bufnr = buffer })
        end
      end
    end
    M.stop(client)
    start()
  end
end

return M
