--- The subcommands of `:Admissible`.
local M = {}

--- The action of each subcommand.
local actions = {
  evaluate = function()
    require('admissible').evaluate()
  end,
  input = function()
    require('admissible').choose_input()
  end,
  live = function(state)
    local on
    if state then
      on = state == 'on'
    end
    require('admissible').live_values(on)
  end,
  mutation = function()
    require('admissible').show_mutation()
  end,
  hide = function()
    require('admissible').hide_values()
  end,
  test = function(which)
    require('admissible').test(which == 'all')
  end,
  new = function(what)
    require('admissible')['new_' .. (what or 'policy')]()
  end,
  restart = function()
    require('admissible').restart()
  end,
  log = function()
    require('admissible').show_log()
  end,
}

--- The arguments of each subcommand.
local arguments = { live = { 'on', 'off' }, new = { 'binding', 'input', 'policy' }, test = { 'all' } }

local function starting_with(lead, words)
  table.sort(words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

--- Returns the completions of `lead`.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line:sub(1, #line - #lead)), '%s+')
  if #words == 1 then
    return starting_with(lead, vim.tbl_keys(actions))
  end
  return starting_with(lead, #words == 2 and vim.deepcopy(arguments[words[2]]) or {})
end

--- Runs a subcommand.
---@param words string[]
function M.run(words)
  local action, argument = words[1], words[2]
  local known = actions[action] and (not argument or vim.list_contains(arguments[action] or {}, argument))
  if not known or #words > 2 then
    local message = ("Unknown command ':Admissible %s'. "):format(table.concat(words, ' '))
      .. ('Use %s.'):format(table.concat(starting_with('', vim.tbl_keys(actions)), ', '))
    vim.notify(message, vim.log.levels.ERROR)
    return
  end
  actions[action](argument)
end

return M
