; Later patterns override earlier ones.
(identifier) @variable

((identifier) @variable.special
  (#any-of? @variable.special
    "authorizer" "namespaceObject" "object" "oldObject" "oldSelf" "params" "request" "self"
    "variables"))

((identifier) @type
  (#any-of? @type
    "bool" "bytes" "double" "dyn" "int" "list" "map" "null_type" "optional_type" "string" "type"
    "uint"))

(escaped_identifier) @property

(select_expression
  field: (identifier) @property)

(field
  name: (identifier) @property)

(field
  name: (escaped_identifier) @property)

(type
  (identifier) @type)

(call_expression
  function: (identifier) @function)

(call_expression
  receiver: (_)
  function: (identifier) @function)

; Conversions are functions with the name of a type.
(call_expression
  !receiver
  function: (identifier) @type
  (#any-of? @type
    "bool" "bytes" "double" "duration" "dyn" "int" "string" "timestamp" "type" "uint"))

(call_expression
  !receiver
  function: (identifier) @keyword
  (#eq? @keyword "has"))

(call_expression
  receiver: (_)
  function: (identifier) @keyword
  (#any-of? @keyword
    "all" "exists" "exists_one" "existsOne" "filter" "map" "optFlatMap" "optMap" "sortBy"
    "transformList" "transformMap" "transformMapEntry"))

; The variable of a macro, where it is declared.
(call_expression
  receiver: (_)
  function: (identifier) @_macro
  arguments: (arguments
    .
    (identifier) @variable
    .
    (_))
  (#any-of? @_macro
    "all" "exists" "exists_one" "existsOne" "filter" "map" "optFlatMap" "optMap" "sortBy"))

(call_expression
  receiver: (identifier) @_namespace
  function: (identifier) @keyword
  arguments: (arguments
    .
    (identifier) @variable)
  (#eq? @_namespace "cel")
  (#eq? @keyword "bind"))

[
  (int)
  (uint)
] @number

(double) @number

[
  (true)
  (false)
] @boolean

(null) @constant

[
  (string)
  (bytes)
] @string

(escape_sequence) @string.escape

(comment) @comment

"in" @operator

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
  ] @operator)

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
