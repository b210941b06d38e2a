--- The configuration that Neovim 0.11 and newer find for `vim.lsp.enable('admissible')`.
return require('admissible.config')
