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

local limit_lenses = { 'inputs: 1 allowed, 2 denied', 'evaluate: true · small' }
local owner_lenses = { 'inputs: 1 allowed', 'show changes', 'evaluate: Object{metadata: Object.metadata{labels: {owner: platform}}} · shop' }
local pods_lenses = { 'no input: Create an admission input' }

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
  editor.assert_contains(health, "program '/nowhere/admissible' not found")
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

local function typing_that_fixes_an_error_removes_its_finding()
  editor.open('replicas.yaml')
  editor.type_at('Fial', 'cwFail<Esc>')
  expect({ wrong_variable, wrong_operator, wrong_field })
  editor.type_at('Fail', ':silent undo<CR>')
  expect(all)
end

local function typing_an_error_adds_a_finding()
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
  local version = vim.trim(vim.fn.system({ program, '--version' })):match('%S+$')
  editor.assert_contains(health, ('the server %s is running for '):format(version))
  editor.assert_contains(health, 'root: ' .. vim.env.ADMISSIBLE_TEST_WORKSPACE)
  editor.assert_contains(health, ('project: %s/admissible.toml'):format(vim.env.ADMISSIBLE_TEST_WORKSPACE))
end

local function health_warns_about_a_file_without_a_root()
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  vim.fn.writefile({ 'a: b' }, folder .. '/lonely.yaml')
  vim.cmd.edit(folder .. '/lonely.yaml')
  local buffer = vim.api.nvim_get_current_buf()
  editor.wait_for(1, function()
    return #vim.lsp.get_clients({ bufnr = buffer })
  end)
  editor.assert_contains(editor.health(), 'no root: bindings, inputs and definitions in other files are not found')
  vim.cmd.bwipeout(buffer)
end

local function of_toml_files_the_configuration_has_the_server()
  local folder = vim.env.ADMISSIBLE_TEST_WORKSPACE
  vim.fn.writefile({ 'a = 1' }, folder .. '/other.toml')
  local other, buffer = editor.open('other.toml'), editor.open('admissible.toml')
  editor.wait_for(1, function()
    return #vim.lsp.get_clients({ bufnr = buffer })
  end)
  vim.api.nvim_buf_set_lines(buffer, -1, -1, true, { 'unknown-fiel = "off"' })
  vim.cmd('silent write')
  editor.wait_for({ 'There is no rule `unknown-fiel`. Did you mean `unknown-field`?' }, function()
    return vim.tbl_map(function(it)
      return it.message
    end, vim.diagnostic.get(buffer))
  end)
  vim.cmd('silent undo | silent write')
  editor.wait_for(0, function()
    return #vim.diagnostic.get(buffer)
  end)
  assert(#vim.lsp.get_clients({ bufnr = other }) == 0, 'another file has no server')
  vim.fn.delete(folder .. '/other.toml')
end

--- Runs `run` while the user picks the choices that `pick` accepts, and types `typed`.
local function answering(pick, typed, run)
  local select, input = vim.ui.select, vim.ui.input
  vim.ui.select = function(choices, options, on_choice)
    for _, choice in ipairs(choices) do
      if pick(options.format_item and options.format_item(choice) or choice) then
        return on_choice(choice)
      end
    end
    on_choice(nil)
  end
  vim.ui.input = function(_, on_confirm)
    on_confirm(typed)
  end
  local passed, reason = xpcall(run, debug.traceback)
  vim.ui.select, vim.ui.input = select, input
  assert(passed, reason)
end

local function expect_new(path, parts)
  local function text()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  end
  editor.wait_for(true, function()
    return vim.api.nvim_buf_get_name(0) == path and text() ~= ''
  end)
  for _, part in ipairs(parts) do
    editor.assert_contains(text(), part)
  end
  vim.cmd.stopinsert()
  vim.snippet.stop()
  vim.cmd.bwipeout({ bang = true })
end

local function a_policy_and_a_binding_are_written_to_new_files()
  local folder = vim.env.ADMISSIBLE_TEST_WORKSPACE
  editor.open('limit.yaml')
  local function is_mutating(choice)
    return choice == 'MutatingAdmissionPolicy'
  end
  answering(is_mutating, folder .. '/new.yaml', function()
    vim.cmd('Admissible new policy')
    expect_new(folder .. '/new.yaml', { 'kind: MutatingAdmissionPolicy', 'mutations:' })
  end)
  editor.open('limit.yaml')
  local function is_limit(choice)
    return choice == 'limit (ValidatingAdmissionPolicy)'
  end
  answering(is_limit, folder .. '/new-binding.yaml', function()
    vim.cmd('Admissible new binding')
    expect_new(folder .. '/new-binding.yaml', { 'kind: ValidatingAdmissionPolicyBinding', 'policyName: limit' })
  end)
end

local function a_new_input_is_shown_beside_the_policy()
  local buffer = editor.open('pods.yaml')
  editor.wait_for_lenses(pods_lenses, buffer)
  editor.type_at('name: pods', 'l')
  vim.cmd('Admissible new input')
  local path = vim.env.ADMISSIBLE_TEST_WORKSPACE .. '/pods.inputs.yaml'
  editor.wait_for(path, function()
    return vim.api.nvim_buf_get_name(0)
  end)
  editor.wait_for(true, function()
    return vim.startswith(vim.api.nvim_get_current_line(), 'name: ')
  end)
  assert(vim.fn.bufwinid(buffer) ~= -1, 'the policy stays visible')
  vim.cmd.bwipeout({ bang = true })
end

--- The quickfix list once `:Admissible test` has filled it: file, line, type and text of each entry.
local function tested(command)
  vim.fn.setqflist({}, 'r')
  vim.fn.setqflist({}, 'r', { title = 'waiting' })
  vim.cmd(command)
  editor.wait_for(':Admissible test', function()
    return vim.fn.getqflist({ title = 0 }).title
  end)
  return vim.tbl_map(function(it)
    return ('%s:%d:%d %s %s'):format(vim.fs.basename(vim.api.nvim_buf_get_name(it.bufnr)), it.lnum, it.col, it.type, it.text)
  end, vim.fn.getqflist())
end

local function tests_fill_the_quickfix_list()
  local path = vim.env.ADMISSIBLE_TEST_WORKSPACE .. '/limit.inputs.yaml'
  local before = vim.fn.readfile(path)
  editor.open('limit.yaml')
  local passed = tested('Admissible test all')
  assert(#passed > 0, 'tests')
  for _, it in ipairs(passed) do
    assert(it:find(' I .*: passed$'), it)
  end
  assert(#tested('Admissible test') == 0, 'nothing failed')
  local wrong = vim.tbl_map(function(line)
    return (line:gsub('decision: deny', 'decision: allow'))
  end, before)
  vim.fn.writefile(wrong, path)
  local failed = tested('Admissible test')
  vim.fn.writefile(before, path)
  vim.cmd.cclose()
  assert(#failed > 0 and failed[1]:find('^limit.inputs.yaml:%d+:%d+ E '), vim.inspect(failed))
end

local function the_server_restarts()
  local buffer = editor.open('replicas.yaml')
  local id = vim.lsp.get_clients({ bufnr = buffer })[1].id
  vim.cmd('Admissible restart')
  editor.wait_for(true, function()
    local client = vim.lsp.get_clients({ bufnr = buffer })[1]
    return client ~= nil and client.id ~= id
  end)
  expect(all)
end

local function the_log_is_shown()
  vim.cmd('Admissible log')
  assert(vim.fs.basename(vim.api.nvim_buf_get_name(0)):find('lsp.*log'), vim.api.nvim_buf_get_name(0))
  vim.cmd.bwipeout()
end

local function keys_are_left_to_the_server_of_yaml()
  local schemas = require('admissible.yaml_schemas')
  assert(schemas.completes_kubernetes({ kubernetes = '*.yaml' }))
  assert(schemas.completes_kubernetes({ Kubernetes = { 'x.yaml', '/**/*.{yaml, yml}' } }))
  assert(not schemas.completes_kubernetes({ kubernetes = 'policies/*.yaml' }))
  assert(not schemas.completes_kubernetes({ ['https://example.org/kubernetes.json'] = '*.yaml' }))
  local buffer = editor.open('limit.yaml')
  editor.wait_for(1, function()
    return #vim.lsp.get_clients({ bufnr = buffer, name = 'admissible' })
  end)
  local function keys()
    return vim.tbl_get(vim.lsp.get_clients({ bufnr = buffer, name = 'admissible' })[1].settings, 'admissible', 'completion', 'manifestKeys')
  end
  editor.wait_for('on', keys)
  -- Any server with this name and setting will do.
  local settings = { yaml = { schemas = { kubernetes = '*.yaml' } } }
  vim.lsp.start({ name = 'yamlls', cmd = { program, 'lsp' }, root_dir = '/', settings = settings }, { bufnr = buffer })
  editor.wait_for('off', keys)
end

--- The command here for each one of VS Code.
local commands_of_vscode = {
  chooseInputHere = 'input',
  evaluateHere = 'evaluate',
  hideValuesHere = 'hide',
  newBinding = 'new binding',
  newInput = 'new input',
  newPolicy = 'new policy',
  -- The view of policies is a part of VS Code.
  refreshOverview = false,
  restartServer = 'restart',
  showMutationHere = 'mutation',
  showOutput = 'log',
  toggleLiveValuesHere = 'live',
}

local function the_commands_are_those_of_vscode()
  local path = vim.fs.dirname(vim.fs.dirname(here)) .. '/vscode/package.json'
  local contributes = vim.json.decode(table.concat(vim.fn.readfile(path), '\n')).contributes
  for _, contributed in ipairs(contributes.commands) do
    local name = contributed.command:gsub('^admissible%.', '')
    local command = commands_of_vscode[name]
    assert(command ~= nil, name .. ' has no counterpart')
    assert(not command or vim.list_contains(vim.fn.getcompletion('Admissible ' .. command, 'cmdline'), command:match('%a+$')), name)
  end
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

--- Opens limit.yaml beside an open manifest, which is the one that lies in the folder and not another one.
local function open_limit()
  editor.open('web.yaml')
  local buffer = editor.open('limit.yaml')
  editor.wait_for_lenses(limit_lenses, buffer)
  return buffer
end

local function expect_hints(hints, buffer)
  editor.wait_for(hints, function()
    return editor.hints(buffer)
  end)
end

local function a_lens_evaluates_an_expression()
  local buffer = open_limit()
  editor.type_at('expression:', 'l')
  vim.lsp.codelens.run()
  expect_hints({ '14: = true · object.spec.replicas = 3' }, buffer)
  editor.wait_for(true, function()
    return editor.float():find('object.spec.replicas  =  3', 1, true) ~= nil
  end)
  vim.cmd('Admissible hide')
  expect_hints({}, buffer)
end

local function the_command_evaluates_the_expression_at_the_cursor()
  local buffer = open_limit()
  editor.type_at('replicas <=', 'l')
  vim.cmd('Admissible evaluate')
  expect_hints({ '14: = true · object.spec.replicas = 3' }, buffer)
  vim.cmd('Admissible hide')
  expect_hints({}, buffer)
end

local function another_input_changes_what_the_lens_says()
  local buffer = open_limit()
  local select, offered = vim.ui.select, nil
  local function choose(wanted)
    vim.ui.select = function(choices, options, on_choice)
      offered = vim.tbl_map(options.format_item, choices)
      on_choice(choices[wanted])
    end
    vim.cmd('Admissible input')
  end
  editor.type_at('name: limit', 'l')
  choose(2)
  editor.wait_for_lenses({ limit_lenses[1], 'evaluate: false · large' }, buffer)
  local expected = {
    '* small: allowed',
    '  large: denied (At most five replicas)',
    '  Deployment web: denied (At most five replicas)',
  }
  assert(vim.deep_equal(offered, expected), vim.inspect(offered))
  choose(1)
  editor.wait_for_lenses(limit_lenses, buffer)
  vim.ui.select = select
end

local function live_values_follow_what_is_typed()
  local buffer = open_limit()
  vim.cmd('Admissible live')
  expect_hints({ '14: = true · object.spec.replicas = 3' }, buffer)
  editor.type_at('<= 5', 'wcw2<Esc>')
  expect_hints({ '14: = false · object.spec.replicas = 3' }, buffer)
  editor.wait_for_lenses({ 'inputs: 3 denied', 'evaluate: false · small' }, buffer)
  vim.cmd('silent undo')
  vim.cmd('Admissible live off')
  expect_hints({}, buffer)
end

local function a_lens_shows_what_a_mutation_changes()
  local buffer = editor.open('owner.yaml')
  editor.wait_for_lenses(owner_lenses, buffer)
  editor.type_at('name: owner', 'l')
  for _ = 1, 2 do
    vim.cmd('Admissible mutation')
    editor.wait_for(2, function()
      return #vim.api.nvim_list_tabpages()
    end)
    local sides = editor.diff()
    assert(#sides == 2, vim.inspect(sides))
    editor.assert_contains(sides[1], 'kind: Service')
    assert(not sides[1]:find('owner: platform', 1, true), sides[1])
    editor.assert_contains(sides[2], '    owner: platform')
    assert(#vim.lsp.get_clients({ bufnr = 0 }) == 0, 'no server checks the sides')
  end
  vim.cmd.tabclose()
end

local function a_code_action_creates_an_input_that_the_policy_matches()
  local buffer = editor.open('pods.yaml')
  editor.wait_for_lenses(pods_lenses, buffer)
  editor.type_at('name: pods', 'l')
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == 'Create an admission input'
    end,
  })
  local path = vim.env.ADMISSIBLE_TEST_WORKSPACE .. '/pods.inputs.yaml'
  editor.wait_for(true, function()
    return vim.fn.bufexists(path) == 1
  end)
  local input = editor.open_new(path)
  local text = table.concat(vim.api.nvim_buf_get_lines(input, 0, -1, false), '\n')
  editor.assert_contains(text, 'kind: Pod')
  vim.cmd('silent write')
  vim.cmd.buffer(buffer)
  editor.wait_for_lenses({ 'inputs: 1 allowed, 1 denied', 'evaluate: true · allowed by pods' }, buffer)
  vim.cmd.bwipeout(input)
  vim.fn.delete(path)
end

local function a_wrong_word_gets_a_message()
  local notify, messages = vim.notify, {}
  vim.notify = function(message)
    table.insert(messages, message)
  end
  vim.cmd('Admissible live maybe')
  vim.notify = notify
  assert(#messages == 1, vim.inspect(messages))
  editor.assert_contains(messages[1], "Unknown command ':Admissible live maybe'")
  local commands = { 'evaluate', 'hide', 'input', 'live', 'log', 'mutation', 'new', 'restart', 'test' }
  assert(vim.deep_equal(vim.fn.getcompletion('Admissible ', 'cmdline'), commands))
  assert(vim.deep_equal(vim.fn.getcompletion('Admissible live o', 'cmdline'), { 'off', 'on' }))
end

local function the_setting_shows_the_values_of_every_policy()
  editor.stop_servers()
  admissible.setup({ cmd = { program, 'lsp' }, settings = { liveValues = true } })
  expect_hints({ '14: = true · object.spec.replicas = 3' }, editor.open('limit.yaml'))
end

local function the_help_is_found()
  vim.cmd.helptags(vim.fs.dirname(here) .. '/doc')
  vim.cmd.help('admissible.setup()')
  assert(vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'admissible.txt')
  vim.cmd.bwipeout()
end

-- In this order: the first case needs a Neovim that never had a server, those that change settings start it again.
local cases = {
  { 'without a program a message says what to do', without_a_program_a_message_says_what_to_do },
  { 'setup starts the server for an open file, with its findings', setup_starts_the_server_for_an_open_file },
  { 'a file that is no policy has none', a_file_that_is_no_policy_has_none },
  { 'typing that fixes an error removes its finding', typing_that_fixes_an_error_removes_its_finding },
  { 'typing an error adds a finding', typing_an_error_adds_a_finding },
  { 'a character outside the basic plane moves what follows', a_character_outside_the_basic_plane_moves_what_follows },
  { 'a quick fix is offered and applied', a_quick_fix_is_offered_and_applied },
  { 'the outline names the policy', the_outline_names_the_policy },
  { 'health tells about the running server', health_tells_about_the_running_server },
  { 'a lens evaluates an expression', a_lens_evaluates_an_expression },
  { 'the command evaluates the expression at the cursor', the_command_evaluates_the_expression_at_the_cursor },
  { 'another input changes what the lens says', another_input_changes_what_the_lens_says },
  { 'live values follow what is typed', live_values_follow_what_is_typed },
  { 'a lens shows what a mutation changes', a_lens_shows_what_a_mutation_changes },
  { 'a new input is shown beside the policy', a_new_input_is_shown_beside_the_policy },
  { 'a code action creates an input that the policy matches', a_code_action_creates_an_input_that_the_policy_matches },
  { 'a wrong word gets a message', a_wrong_word_gets_a_message },
  { 'the server restarts', the_server_restarts },
  { 'the commands are those of VS Code', the_commands_are_those_of_vscode },
  { 'health warns about a file without a root', health_warns_about_a_file_without_a_root },
  { 'of TOML files, the configuration has the server', of_toml_files_the_configuration_has_the_server },
  { 'a policy and a binding are written to new files', a_policy_and_a_binding_are_written_to_new_files },
  { 'tests fill the quickfix list', tests_fill_the_quickfix_list },
  { 'the log is shown', the_log_is_shown },
  { 'keys are left to the server of YAML', keys_are_left_to_the_server_of_yaml },
  { 'the setting of a rule changes its severity', the_setting_of_a_rule_changes_its_severity },
  { 'the setting shows the values of every policy', the_setting_shows_the_values_of_every_policy },
  { 'the help is found', the_help_is_found },
}

-- Neovim starts servers for open files only once it has started itself.
vim.api.nvim_create_autocmd('VimEnter', {
  callback = vim.schedule_wrap(function()
    vim.cmd('filetype on')
    -- Nothing but the outcomes is printed.
    vim.o.showmode = false
    vim.o.report = 9999
    dofile(here .. '/cases.lua').run(cases)
  end),
})
