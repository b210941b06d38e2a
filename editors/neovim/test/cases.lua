--- Runs the cases of a test and prints what `cargo xtask editors` counts.
local M = {}

--- Runs all cases in their order, then ends Neovim. Each has a name and a function that fails with an error, and may
--- return a figure to print.
function M.run(cases)
  local failed = 0
  io.stdout:write(('Neovim %s\n'):format(tostring(vim.version())))
  for _, case in ipairs(cases) do
    local start = vim.uv.hrtime()
    local passed, reason = xpcall(case[2], debug.traceback)
    local milliseconds = math.floor((vim.uv.hrtime() - start) / 1e6)
    io.stdout:write(('%s  %s (%s)\n'):format(passed and 'ok' or 'FAILED', case[1], passed and reason or milliseconds .. ' ms'))
    if not passed then
      failed = failed + 1
      io.stdout:write((('    ' .. tostring(reason)):gsub('\n', '\n    ')) .. '\n')
    end
  end
  vim.cmd(failed > 0 and 'cquit 1' or 'qall!')
end

return M
