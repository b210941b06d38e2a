; Later patterns override earlier ones.
(identifier) @variable

((identifier) @variable.builtin
  (#any-of? @variable.builtin
    "authorizer" "namespaceObject" "object" "oldObject" "oldSelf" "params" "request" "self"
    "variables"))

((identifier) @type.builtin
  (#any-of? @type.builtin
    "bool" "bytes" "double" "dyn" "int" "list" "map" "null_type" "optional_type" "string" "type"
    "uint"))

(escaped_identifier) @variable.other.member

(select_expression
  field: (identifier) @variable.other.member)

(field
  name: (identifier) @variable.other.member)

(field
  name: (escaped_identifier) @variable.other.member)

(type
  (identifier) @type)

(call_expression
  function: (identifier) @function)

(call_expression
  receiver: (_)
  function: (identifier) @function.method)

; Conversions are functions with the name of a type.
(call_expression
  !receiver
  function: (identifier) @type.builtin
  (#any-of? @type.builtin
    "bool" "bytes" "double" "duration" "dyn" "int" "string" "timestamp" "type" "uint"))

(call_expression
  !receiver
  function: (identifier) @function.macro
  (#eq? @function.macro "has"))

(call_expression
  receiver: (_)
  function: (identifier) @function.macro
  (#any-of? @function.macro
    "all" "exists" "exists_one" "existsOne" "filter" "map" "optFlatMap" "optMap" "sortBy"
    "transformList" "transformMap" "transformMapEntry"))

; The variable of a macro, where it is declared.
(call_expression
  receiver: (_)
  function: (identifier) @_macro
  arguments: (arguments
    .
    (identifier) @variable.parameter
    .
    (_))
  (#any-of? @_macro
    "all" "exists" "exists_one" "existsOne" "filter" "map" "optFlatMap" "optMap" "sortBy"))

(call_expression
  receiver: (identifier) @namespace
  function: (identifier) @function.macro
  arguments: (arguments
    .
    (identifier) @variable.parameter)
  (#eq? @namespace "cel")
  (#eq? @function.macro "bind"))

[
  (int)
  (uint)
] @constant.numeric.integer

(double) @constant.numeric.float

[
  (true)
  (false)
] @constant.builtin.boolean

(null) @constant.builtin

[
  (string)
  (bytes)
] @string

(escape_sequence) @constant.character.escape

(comment) @comment.line

"in" @keyword.operator

[
  "||"
  "&&"
  "!"
  "<"
  "<="
  ">="
  ">"
  "=="
  "!="
  "+"
  "-"
  "*"
  "/"
  "%"
] @operator

(conditional_expression
  [
    "?"
    ":"
  ] @keyword.control.conditional)

(select_expression
  "?" @operator)

(index_expression
  "?" @operator)

(list
  "?" @operator)

(entry
  "?" @operator)

(field
  "?" @operator)

(entry
  ":" @punctuation.delimiter)

(field
  ":" @punctuation.delimiter)

[
  "."
  ","
] @punctuation.delimiter

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket
