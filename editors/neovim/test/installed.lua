--- The plugin and the program as a user has installed them, in a Neovim that has just started.
--- `cargo xtask editors --installed` runs it with the variable ADMISSIBLE_TEST_WORKSPACE.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local editor = dofile(here .. '/editor.lua')

--- From opening a file to its first findings, in milliseconds. Limit: the goal of the project.
local soon = 500

--- The memory of the server, in megabytes. Limit: the goal of the project.
local small = 60

local function the_first_findings()
  local first
  vim.api.nvim_create_autocmd('DiagnosticChanged', {
    callback = function(event)
      if not first and #editor.findings(event.buf) > 0 then
        first = vim.uv.hrtime()
      end
    end,
  })
  assert(#vim.lsp.get_clients() == 0, 'no server has been started')
  local start = vim.uv.hrtime()
  editor.open('tests/examples/bad/folded-comment.yaml')
  editor.wait_for(true, function()
    return first ~= nil
  end)
  local time = math.floor((first - start) / 1e6)
  assert(time < soon, time .. ' ms')
  return time .. ' ms'
end

local function an_evaluated_policy()
  local buffer = editor.open('examples/require-owner.yaml')
  local input = 'a namespace with an owner'
  editor.wait_for_lenses({
    'evaluate: true · ' .. input,
    'evaluate: "ada" · ' .. input,
    'evaluate: "" · ' .. input,
    'inputs: 2 allowed, 2 denied, 1 skipped',
    'evaluate: true · ' .. input,
    'evaluate: true · ' .. input,
    [[evaluate: "Only an administrator can take a namespace from ." · ]] .. input,
  }, buffer)
end

local function the_memory()
  local client = vim.lsp.get_clients({ name = 'admissible' })[1]
  for _, file in ipairs(vim.fn.globpath(vim.env.ADMISSIBLE_TEST_WORKSPACE, '**/*.yaml', false, true)) do
    vim.cmd.edit(file)
    local answered
    client.request('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() }, function()
      answered = true
    end, vim.api.nvim_get_current_buf())
    editor.wait_for(true, function()
      return answered
    end)
  end
  local server = vim.fn.systemlist({ 'sh', '-c', 'cat /proc/[0-9]*/status' })
  local name, now, highest
  for _, line in ipairs(server) do
    name = line:match('^Name:%s*(.*)') or name
    if name == 'admissible' then
      now = line:match('^VmRSS:%s*(%d+)') or now
      highest = line:match('^VmHWM:%s*(%d+)') or highest
    end
  end
  local function megabytes(kilobytes)
    return math.floor(tonumber(kilobytes) * 1024 / 1e6 + 0.5)
  end
  assert(megabytes(now) < small, megabytes(now) .. ' MB')
  return ('%d MB, at most %d MB'):format(megabytes(now), megabytes(highest))
end

local cases = {
  { 'the first findings of an editor that has just started', the_first_findings },
  { 'an evaluated policy is shown', an_evaluated_policy },
  { 'the memory of the server with the examples', the_memory },
}

vim.api.nvim_create_autocmd('VimEnter', {
  callback = vim.schedule_wrap(function()
    dofile(here .. '/cases.lua').run(cases)
  end),
})
