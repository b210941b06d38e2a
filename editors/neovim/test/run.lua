--- The tests of the plugin, in a real Neovim with the real server:
---   nvim --headless --clean -n --cmd 'set runtimepath^=editors/neovim' -S editors/neovim/test/run.lua
--- with the variables ADMISSIBLE_TEST_PROGRAM and ADMISSIBLE_TEST_WORKSPACE. `cargo xtask editors` runs them.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local editor = dofile(here .. '/editor.lua')
local admissible = require('admissible')
local program = assert(vim.env.ADMISSIBLE_TEST_PROGRAM, 'ADMISSIBLE_TEST_PROGRAM is not set')
local missing_program = '/nowhere/admissible'

local wrong_policy = 'error unsupported-value 7:18-7:22 Fial'
local wrong_variable = 'error undefined-variable 18:44-18:51 replica'
local wrong_operator = 'error cel-syntax 22:26-22:27 ='
local wrong_field = 'error unknown-field 25:5-25:11 mesage'
local all = { wrong_policy, wrong_variable, wrong_operator, wrong_field }

local function expect(findings)
  local buffer = vim.api.nvim_get_current_buf()
  editor.wait_for(findings, function()
    return editor.findings(buffer)
  end)
end

local function without_a_program_a_message_says_what_to_do()
  local notify, messages = vim.notify, {}
  vim.notify = function(message, level)
    table.insert(messages, { message, level })
  end
  admissible.setup({ cmd = { missing_program, 'lsp' } })
  vim.notify = notify
  editor.open('replicas.yaml')
  assert(vim.deep_equal(messages, { { admissible.missing(missing_program), vim.log.levels.ERROR } }), vim.inspect(messages))
  assert(#vim.lsp.get_clients() == 0, 'nothing was started')
  local health = editor.health()
  editor.assert_contains(health, "there is no program '/nowhere/admissible'")
  editor.assert_contains(health, "require('admissible').setup({ cmd = {")
end

local function setup_starts_the_server_for_an_open_file()
  editor.open('replicas.yaml')
  admissible.setup({ cmd = { program, 'lsp' } })
  expect(all)
  assert(#vim.lsp.get_clients({ name = 'admissible', bufnr = 0 }) == 1, 'one server')
end

local function a_file_that_is_no_policy_has_none()
  local other = editor.open('other.yaml')
  -- The policy is opened later, so when it has findings the server has seen both.
  editor.open('replicas.yaml')
  expect(all)
  assert(#editor.findings(other) == 0, vim.inspect(editor.findings(other)))
  assert(#vim.lsp.get_clients({ bufnr = other }) == 1, 'the server knows the file')
end

local function typing_that_mends_a_mistake_removes_its_finding()
  editor.open('replicas.yaml')
  editor.type_at('Fial', 'cwFail<Esc>')
  expect({ wrong_variable, wrong_operator, wrong_field })
  editor.type_at('Fail', ':silent undo<CR>')
  expect(all)
end

local function typing_that_makes_a_mistake_adds_a_finding()
  editor.open('replicas.yaml')
  editor.type_at('message: At', 'cwmassage<Esc>')
  expect({ wrong_policy, wrong_variable, 'error unknown-field 19:5-19:12 massage', wrong_operator, wrong_field })
end

local function a_character_outside_the_basic_plane_moves_what_follows()
  editor.open('replicas.yaml')
  editor.type_at('😀', 'i😀<Esc>')
  expect({ wrong_policy, 'error undefined-variable 18:48-18:55 replica', wrong_operator, wrong_field })
  editor.type_at('replica <=', 'cwreplicas<Esc>')
  expect({ wrong_policy, wrong_operator, wrong_field })
end

local function a_quick_fix_is_offered_and_applied()
  editor.open('replicas.yaml')
  expect(all)
  editor.type_at('Fial', 'l')
  vim.lsp.buf.code_action({
    apply = true,
    context = { only = { 'quickfix' } },
    filter = function(action)
      return action.isPreferred
    end,
  })
  expect({ wrong_variable, wrong_operator, wrong_field })
  assert(vim.api.nvim_buf_get_lines(0, 6, 7, true)[1] == '  failurePolicy: Fail')
end

local function the_outline_names_the_policy()
  editor.open('replicas.yaml')
  local names
  vim.lsp.buf.document_symbol({
    on_list = function(list)
      names = vim.tbl_map(function(item)
        return item.text
      end, list.items)
    end,
  })
  editor.wait_for(true, function()
    return names ~= nil and names[1] ~= nil and names[1]:find('replicas', 1, true) ~= nil
  end)
end

local function health_tells_about_the_running_server()
  editor.open('replicas.yaml')
  local health = editor.health()
  editor.assert_contains(health, program .. ' is admissible ')
  editor.assert_contains(health, 'the server runs for ')
end

local function the_setting_of_a_rule_changes_its_severity()
  editor.stop_servers()
  admissible.setup({
    cmd = { program, 'lsp' },
    settings = { rules = { ['unknown-field'] = 'off', ['cel-syntax'] = 'information' } },
  })
  editor.open('replicas.yaml')
  expect({ wrong_policy, wrong_variable, (wrong_operator:gsub('error', 'info')) })
end

local function a_lens_evaluates_an_expression()
  -- An open manifest is the one that lies in the folder, not another one.
  editor.open('web.yaml')
  local buffer = editor.open('limit.yaml')
  editor.wait_for_lenses({ 'samples: 1 fail', 'evaluate: false · Deployment web' }, buffer)
  editor.type_at('expression:', 'l')
  vim.lsp.codelens.run()
  editor.wait_for({ '14: = false' }, function()
    return editor.hints(buffer)
  end)
  editor.wait_for(true, function()
    return editor.float():find('object.spec.replicas  =  7', 1, true) ~= nil
  end)
  admissible.hide_values()
  editor.wait_for({}, function()
    return editor.hints(buffer)
  end)
end

local function the_help_is_found()
  vim.cmd.helptags(vim.fs.dirname(here) .. '/doc')
  vim.cmd.help('admissible.setup()')
  assert(vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'admissible.txt')
  vim.cmd.bwipeout()
end

-- In this order: the first case needs a Neovim that never had a server, the last but one ends it.
local cases = {
  { 'without a program a message says what to do', without_a_program_a_message_says_what_to_do },
  { 'setup starts the server for an open file, with its findings', setup_starts_the_server_for_an_open_file },
  { 'a file that is no policy has none', a_file_that_is_no_policy_has_none },
  { 'typing that mends a mistake removes its finding', typing_that_mends_a_mistake_removes_its_finding },
  { 'typing that makes a mistake adds a finding', typing_that_makes_a_mistake_adds_a_finding },
  { 'a character outside the basic plane moves what follows', a_character_outside_the_basic_plane_moves_what_follows },
  { 'a quick fix is offered and applied', a_quick_fix_is_offered_and_applied },
  { 'the outline names the policy', the_outline_names_the_policy },
  { 'health tells about the running server', health_tells_about_the_running_server },
  { 'a lens evaluates an expression', a_lens_evaluates_an_expression },
  { 'the setting of a rule changes its severity', the_setting_of_a_rule_changes_its_severity },
  { 'the help is found', the_help_is_found },
}

local function run()
  vim.cmd('filetype on')
  -- Nothing but the outcomes is printed.
  vim.o.showmode = false
  vim.o.report = 9999
  io.stdout:write(('Neovim %s\n'):format(tostring(vim.version())))
  local failed = 0
  for _, case in ipairs(cases) do
    local start = vim.uv.hrtime()
    local passed, reason = xpcall(case[2], debug.traceback)
    local milliseconds = math.floor((vim.uv.hrtime() - start) / 1e6)
    io.stdout:write(('%s  %s (%d ms)\n'):format(passed and 'ok' or 'FAILED', case[1], milliseconds))
    if not passed then
      failed = failed + 1
      io.stdout:write((('    ' .. tostring(reason)):gsub('\n', '\n    ')) .. '\n')
    end
  end
  vim.cmd(failed > 0 and 'cquit 1' or 'qall!')
end

-- Neovim starts servers for open files only once it has started itself.
vim.api.nvim_create_autocmd('VimEnter', { callback = vim.schedule_wrap(run) })
