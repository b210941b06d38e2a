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

(escaped_identifier) @variable.member

(select_expression
  field: (identifier) @variable.member)

(field
  name: (identifier) @property)

(field
  name: (escaped_identifier) @property)

(type
  (identifier) @type)

(call_expression
  function: (identifier) @function.call)

(call_expression
  receiver: (_)
  function: (identifier) @function.method.call)

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
  receiver: (identifier) @module
  function: (identifier) @function.macro
  arguments: (arguments
    .
    (identifier) @variable.parameter)
  (#eq? @module "cel")
  (#eq? @function.macro "bind"))

[
  (int)
  (uint)
] @number

(double) @number.float

[
  (true)
  (false)
] @boolean

(null) @constant.builtin

[
  (string)
  (bytes)
] @string

(escape_sequence) @string.escape

(comment) @comment @spell

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
  ] @keyword.conditional.ternary)

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
