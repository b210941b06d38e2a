--- yaml-language-server beside this server: where it completes the keys of Kubernetes manifests, this one
--- leaves them out, so that no key is offered twice.
local M = {}

local yaml_servers = { yamlls = true, ['yaml-language-server'] = true }

--- The patterns that match every YAML file. A narrower one may leave out policies.
local everything = { ['*'] = true, ['*.yaml'] = true, ['*.yml'] = true, ['*.{yaml,yml}'] = true, ['*.{yml,yaml}'] = true }

--- Returns whether the setting `yaml.schemas` assigns the schemas of Kubernetes to every YAML file.
---@param schemas any
---@return boolean
function M.completes_kubernetes(schemas)
  for schema, patterns in pairs(type(schemas) == 'table' and schemas or {}) do
    for _, pattern in ipairs(type(patterns) == 'table' and patterns or { patterns }) do
      local all = type(pattern) == 'string' and pattern:gsub('^/', ''):gsub('^%*%*/', ''):gsub(' ', '')
      if tostring(schema):lower() == 'kubernetes' and everything[all] then
        return true
      end
    end
  end
  return false
end

--- Returns whether another server of a buffer completes the keys of manifests.
---@param buffer integer
---@return boolean
function M.is_completed_elsewhere(buffer)
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buffer })) do
    local schemas = vim.tbl_get(client.config, 'settings', 'yaml', 'schemas')
    if yaml_servers[client.name] and M.completes_kubernetes(schemas) then
      return true
    end
  end
  return false
end

--- Tells the servers of a buffer who completes the keys of manifests, unless a setting says it.
---@param buffer integer
local function update(buffer)
  local elsewhere = M.is_completed_elsewhere(buffer)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'admissible', bufnr = buffer })) do
    local ours = vim.tbl_get(client.config, 'settings', 'admissible') or {}
    local chosen = vim.tbl_get(ours, 'completion', 'manifestKeys') or 'auto'
    local wanted = chosen ~= 'auto' and chosen or (elsewhere and 'off' or 'on')
    if vim.tbl_get(client.settings, 'admissible', 'completion', 'manifestKeys') ~= wanted then
      local change = { admissible = { completion = { manifestKeys = wanted } } }
      client.settings = vim.tbl_deep_extend('force', client.settings, change)
      require('admissible.server').notify(client, 'workspace/didChangeConfiguration', { settings = client.settings })
    end
  end
end

--- Follows the servers of every buffer.
function M.attach()
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('admissible.yaml', { clear = true }),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and (client.name == 'admissible' or yaml_servers[client.name]) then
        update(event.buf)
      end
    end,
  })
end

return M
