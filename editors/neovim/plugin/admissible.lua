--- The command `:Admissible`. Its implementation is loaded when it is used.
vim.api.nvim_create_user_command('Admissible', function(options)
  require('admissible.command').run(options.fargs)
end, {
  nargs = '+',
  desc = 'Evaluate the policy at the cursor',
  complete = function(lead, line)
    return require('admissible.command').complete(lead, line)
  end,
})

-- The configuration is TOML; the second part of its file type is for the server, which other TOML files do not
-- need. `cel` is for the tree-sitter grammar.
vim.filetype.add({ extension = { cel = 'cel' }, filename = { ['admissible.toml'] = 'toml.admissible' } })

-- Semantic tokens for which Neovim has no highlights of its own.
for _, filetype in ipairs({ 'yaml', 'json', 'jsonc' }) do
  vim.api.nvim_set_hl(0, '@lsp.mod.unused.' .. filetype, { default = true, link = 'DiagnosticUnnecessary' })
  vim.api.nvim_set_hl(0, '@lsp.typemod.keyword.readonly.' .. filetype, { default = true, link = 'Constant' })
end
