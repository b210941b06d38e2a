--- `:Admissible test`: runs `admissible test` and lists its results in the quickfix list.
local M = {}

--- The folder whose tests run: the root of the server, or the working directory.
local function folder()
  local client = require('admissible.server').here()[1]
  return client and client.root_dir or vim.fn.getcwd()
end

--- The column of a place in bytes. The report counts characters, from 1.
---@param path string
---@param place { line: integer, column: integer }
local function column(path, place)
  local line = vim.fn.filereadable(path) == 1 and vim.fn.readfile(path, '', place.line)[place.line] or ''
  local bytes = vim.fn.byteidx(line, place.column - 1)
  return bytes < 0 and 1 or bytes + 1
end

--- An entry of the quickfix list.
---@param root string
---@param path string
---@param range? { start: { line: integer, column: integer } }
---@param text string
---@param type string
local function entry(root, path, range, text, type)
  local file = vim.fs.normalize(vim.startswith(path, '/') and path or root .. '/' .. path)
  local start = range and range.start or { line = 1, column = 1 }
  return { filename = file, lnum = start.line, col = column(file, start), text = text, type = type }
end

--- The entries of one test: one for each difference, or one for all.
local function entries_of(root, test, with_passed)
  if test.status == 'failed' then
    return vim.tbl_map(function(failure)
      return entry(root, failure.path, failure.range, ('%s: %s'):format(test.name, failure.message), 'E')
    end, test.failures)
  end
  if test.status == 'error' then
    local text = ('%s: %s'):format(test.name, test.error or 'the test could not run')
    return { entry(root, test.input, test.range, text, 'E') }
  end
  return with_passed and { entry(root, test.input, test.range, test.name .. ': passed', 'I') } or {}
end

--- Shows a report of `admissible test --format json`.
---@param root string
---@param report table
---@param with_passed boolean
local function show(root, report, with_passed)
  local entries, passed, others = {}, 0, 0
  for _, file in ipairs(report.files) do
    for _, test in ipairs(file.tests) do
      passed = passed + (test.status == 'passed' and 1 or 0)
      others = others + (test.status == 'passed' and 0 or 1)
      vim.list_extend(entries, entries_of(root, test, with_passed))
    end
  end
  for _, problem in ipairs(report.problems) do
    table.insert(entries, entry(root, problem.path, problem.range, problem.message, 'E'))
  end
  vim.fn.setqflist({}, ' ', { title = ':Admissible test', items = entries })
  local window = vim.api.nvim_get_current_win()
  vim.cmd('botright cwindow')
  vim.api.nvim_set_current_win(window)
  local level = others > 0 and vim.log.levels.ERROR or vim.log.levels.INFO
  vim.notify(('Admissible: %d passed, %d failed.'):format(passed, others), level)
end

--- Runs the tests of the project of the current buffer. Saved files are tested.
---@param with_passed boolean Lists also the tests that pass.
function M.run(with_passed)
  local root = folder()
  local command = { require('admissible').config().cmd[1], 'test', '--format', 'json' }
  local function ended(result)
    local read, report = pcall(vim.json.decode, result.stdout, { luanil = { object = true, array = true } })
    if read and type(report) == 'table' and report.files then
      show(root, report, with_passed)
    else
      vim.notify('Admissible: ' .. vim.trim(result.stderr), vim.log.levels.ERROR)
    end
  end
  local started, reason = pcall(vim.system, command, { cwd = root, text = true }, vim.schedule_wrap(ended))
  if not started then
    vim.notify('Admissible: ' .. reason, vim.log.levels.ERROR)
  end
end

return M
