--- The configuration of the server. `lsp/admissible.lua` passes it to Neovim 0.11 and newer,
--- `admissible.setup` uses it on 0.10 as well.
local evaluation = require('admissible.evaluation')
evaluation.attach_lenses()
require('admissible.yaml_schemas').attach()

---@type vim.lsp.ClientConfig
return {
  name = 'admissible',
  cmd = { 'admissible', 'lsp' },
  filetypes = { 'yaml', 'json', 'jsonc', 'toml.admissible' },
  root_markers = { 'admissible.toml', '.git' },
  capabilities = evaluation.capabilities(),
  handlers = evaluation.handlers(),
  on_init = function(client, result)
    -- Neovim 0.10 does not keep it.
    client.server_info = result.serverInfo
  end,
  settings = { admissible = { rules = vim.empty_dict() } },
}
