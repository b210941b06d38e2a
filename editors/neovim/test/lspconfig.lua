--- The configuration for nvim-lspconfig, in a real Neovim without the plugin:
---   nvim --headless --clean -n --cmd 'set runtimepath^=deploy/nvim-lspconfig' -S editors/neovim/test/lspconfig.lua
--- with the variables of `run.lua`. `cargo xtask editors` runs it.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local editor = dofile(here .. '/editor.lua')
local program = assert(vim.env.ADMISSIBLE_TEST_PROGRAM, 'ADMISSIBLE_TEST_PROGRAM is not set')

local function it_starts_the_server_on_path()
  vim.env.PATH = vim.fs.dirname(program) .. ':' .. vim.env.PATH
  if vim.fn.has('nvim-0.11') == 1 then
    vim.lsp.enable('admissible')
  else
    local config = dofile(vim.api.nvim_get_runtime_file('lsp/admissible.lua', false)[1])
    vim.api.nvim_create_autocmd('FileType', {
      pattern = config.filetypes,
      callback = function(event)
        config.root_dir = vim.fs.root(event.buf, config.root_markers)
        vim.lsp.start(config, { bufnr = event.buf })
      end,
    })
  end
  local buffer = editor.open('replicas.yaml')
  editor.wait_for(4, function()
    return #editor.findings(buffer)
  end)
  local client = vim.lsp.get_clients({ bufnr = buffer })[1]
  assert(client.root_dir == vim.env.ADMISSIBLE_TEST_WORKSPACE, client.root_dir)
  editor.stop_servers()
end

vim.api.nvim_create_autocmd('VimEnter', {
  callback = vim.schedule_wrap(function()
    vim.cmd('filetype on')
    dofile(here .. '/cases.lua').run({
      { 'nvim-lspconfig starts the server on PATH', it_starts_the_server_on_path },
    })
  end),
})
