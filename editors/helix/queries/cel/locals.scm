(source) @local.scope

; A macro declares one variable or two, for its other arguments.
(call_expression
  receiver: (_)
  function: (identifier) @_macro
  arguments: (arguments
    .
    (identifier) @local.definition.variable.parameter
    .
    (_)) @local.scope
  (#any-of? @_macro
    "all" "exists" "exists_one" "existsOne" "filter" "map" "optFlatMap" "optMap" "sortBy"))

(call_expression
  receiver: (_)
  function: (identifier) @_macro
  arguments: (arguments
    .
    (identifier) @local.definition.variable.parameter
    .
    (identifier) @local.definition.variable.parameter
    .
    (_)) @local.scope
  (#any-of? @_macro
    "all" "exists" "existsOne" "transformList" "transformMap" "transformMapEntry"))

(call_expression
  receiver: (identifier) @_namespace
  function: (identifier) @_macro
  arguments: (arguments
    .
    (identifier) @local.definition.variable) @local.scope
  (#eq? @_namespace "cel")
  (#eq? @_macro "bind"))

(identifier) @local.reference
