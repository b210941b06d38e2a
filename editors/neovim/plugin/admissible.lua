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
