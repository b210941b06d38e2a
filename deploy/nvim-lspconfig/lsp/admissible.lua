---@brief
---
--- https://github.com/admissible/admissible
---
--- Language server for Kubernetes admission policies and the CEL inside them.
---
--- `admissible` can be installed with `cargo install --git https://github.com/admissible/admissible`,
--- or from a [release](https://github.com/admissible/admissible/releases).
---
--- A file `admissible.toml` is the root of a project; a `.git` folder otherwise.

---@type vim.lsp.Config
return {
  cmd = { 'admissible', 'lsp' },
  filetypes = { 'yaml', 'json', 'jsonc' },
  root_markers = { 'admissible.toml', '.git' },
}
