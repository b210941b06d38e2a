--- The words of the command `:Admissible`.
local M = {}

--- What each word does.
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
}

--- The words that may follow.
local arguments = { live = { 'on', 'off' } }

local function starting_with(lead, words)
  table.sort(words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

--- The words that can stand where `lead` is typed.
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

--- Does what the words say.
---@param words string[]
function M.run(words)
  local action, argument = words[1], words[2]
  local known = actions[action] and (not argument or vim.list_contains(arguments[action] or {}, argument))
  if not known or #words > 2 then
    local message = ("Admissible: there is no ':Admissible %s'. "):format(table.concat(words, ' '))
      .. 'There are evaluate, hide, input, live, live on, live off and mutation.'
    vim.notify(message, vim.log.levels.ERROR)
    return
  end
  actions[action](argument)
end

return M
