--- Found by Neovim 0.11 and newer under the name that `vim.lsp.enable('admissible')` gives.
return require('admissible.config')
