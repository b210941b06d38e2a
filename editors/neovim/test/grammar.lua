--- The tests of the tree-sitter grammar and its queries, in a real Neovim without a server:
---   nvim --headless --clean -n --cmd 'set runtimepath^=editors/neovim' -S editors/neovim/test/grammar.lua
--- with the variables ADMISSIBLE_TEST_PARSERS, a folder with the parsers of CEL and YAML, and
--- ADMISSIBLE_TEST_EXPRESSIONS, a file with expressions and whether they are valid. `cargo xtask editors` runs them.
local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local repository = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(here)))
local parsers = assert(vim.env.ADMISSIBLE_TEST_PARSERS, 'ADMISSIBLE_TEST_PARSERS is not set')
local cases = dofile(here .. '/cases.lua')

for _, language in ipairs({ 'cel', 'yaml' }) do
  vim.treesitter.language.add(language, { path = ('%s/%s.so'):format(parsers, language) })
end

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

local function has_error(text)
  return vim.treesitter.get_string_parser(text, 'cel'):parse()[1]:root():has_error()
end

local function it_has_an_error_exactly_where_the_server_has_one()
  local all = vim.json.decode(read(vim.env.ADMISSIBLE_TEST_EXPRESSIONS))
  local counts, wrong = { [true] = 0, [false] = 0 }, {}
  for _, expression in ipairs(all) do
    counts[expression.valid] = counts[expression.valid] + 1
    if has_error(expression.text) == expression.valid then
      table.insert(wrong, vim.inspect(expression))
    end
  end
  assert(#wrong == 0, table.concat(vim.list_slice(wrong, 1, 10), '\n'))
  -- Most of the texts with an error are names, messages and manifests.
  assert(counts[true] > 2000 and counts[false] > 2000, vim.inspect(counts))
end

local function the_queries_fit_the_grammar()
  for _, name in ipairs({ 'highlights', 'locals', 'folds', 'indents', 'injections' }) do
    assert(#vim.treesitter.query.get('cel', name).captures > 0, name)
  end
  for _, folder in ipairs({ '/editors/helix/queries', '/editors/zed/languages' }) do
    for path, kind in vim.fs.dir(repository .. folder, { depth = 2 }) do
      if kind == 'file' and vim.endswith(path, '.scm') then
        local language = vim.fs.dirname(path)
        local query = vim.treesitter.query.parse(language, read(('%s%s/%s'):format(repository, folder, path)))
        assert(#query.captures > 0, path)
      end
    end
  end
end

--- The last capture of a query at a column of a line, which is the one that Neovim shows.
local function capture_at(query, line, column)
  local root = vim.treesitter.get_string_parser(line, 'cel'):parse()[1]:root()
  local last
  for id, node in query:iter_captures(root, line) do
    local name = query.captures[id]
    if vim.treesitter.is_in_node_range(node, 0, column - 1) and name:sub(1, 1) ~= '_' and name ~= 'spell' then
      last = name
    end
  end
  return last
end

--- Compares each line of a file with the comments below it: `// ^^ operator` names the capture of the two
--- characters above.
local function expect_captures(path)
  local query = vim.treesitter.query.get('cel', 'highlights')
  local count, shown = 0, nil
  for number, line in ipairs(vim.split(read(path), '\n')) do
    local marks = line:match('^// *%^+')
    if marks then
      local name = line:sub(#marks + 2)
      for column = line:find('^', 1, true), #marks do
        local found = capture_at(query, shown, column)
        assert(found == name, ('%d:%d is %s in %s'):format(number, column, found, shown))
      end
      count = count + 1
    else
      shown = line
    end
  end
  assert(count > 40, count)
end

local function the_highlights_are_those_of_the_file()
  expect_captures(here .. '/highlights.cel')
end

--- What is parsed as CEL in a file, in the order of the file: the ranges of a tree are joined.
local function injections(text)
  local parser = vim.treesitter.get_string_parser(text, 'yaml')
  parser:parse(true)
  local found = {}
  for _, tree in pairs(parser:children().cel:trees()) do
    local parts = vim.tbl_map(function(range)
      local first, last = range[3], range[6]
      return text:sub(first + 1, last)
    end, tree:included_ranges(true))
    table.insert(found, { tree:included_ranges(true)[1][3], vim.trim((table.concat(parts):gsub('%s+', ' '))), tree:root():has_error() })
  end
  table.sort(found, function(a, b)
    return a[1] < b[1]
  end)
  return found
end

local function expressions_are_injected_in_every_style()
  local text = table.concat({
    'validations:',
    '- expression: self.plain',
    '- expression: self.plain &&',
    '    self.next',
    '- expression:',
    '    self.below',
    '- expression: "self.double"',
    "- expression: 'self.single'",
    '- messageExpression: >-  # why',
    '    self.folded',
    '',
    '- valueExpression: |2-',
    '    self.literal // why',
    '- {rule: self.flow, "rule": self.key}',
    '- [{expression: "self.x"}]',
    '- message: self.message',
    '- expression: true',
    '',
  }, '\n')
  local expected = {
    'self.plain', 'self.plain && self.next', 'self.below', 'self.double', 'self.single', 'self.folded',
    'self.literal // why', 'self.flow', 'self.key', 'self.x', 'true',
  }
  local found = injections(text)
  local texts = vim.tbl_map(function(it)
    return it[2]
  end, found)
  assert(vim.deep_equal(texts, expected), vim.inspect(texts))
  for _, it in ipairs(found) do
    assert(not it[3], it[2])
  end
end

cases.run({
  { 'tree-sitter has an error exactly where the server has one', it_has_an_error_exactly_where_the_server_has_one },
  { 'the queries fit the grammar', the_queries_fit_the_grammar },
  { 'the highlights are those of the file', the_highlights_are_those_of_the_file },
  { 'expressions are injected in every scalar style', expressions_are_injected_in_every_style },
})
