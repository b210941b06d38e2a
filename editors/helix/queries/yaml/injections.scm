; CEL in the fields of Kubernetes that hold an expression.
(_
  key: (flow_node) @_key
  value: (flow_node
    (plain_scalar) @injection.content)
  (#any-of? @_key
    "expression" "messageExpression" "valueExpression" "rule" "\"expression\""
    "\"messageExpression\"" "\"valueExpression\"" "\"rule\"")
  (#set! injection.include-children)
  (#set! injection.language "cel"))

; Without the quotes and the escapes, and without the header of a block and its comment.
(_
  key: (flow_node) @_key
  value: (flow_node
    [
      (double_quote_scalar)
      (single_quote_scalar)
    ] @injection.content)
  (#any-of? @_key
    "expression" "messageExpression" "valueExpression" "rule" "\"expression\""
    "\"messageExpression\"" "\"valueExpression\"" "\"rule\"")
  (#set! injection.language "cel"))

(_
  key: (flow_node) @_key
  value: (block_node
    (block_scalar) @injection.content)
  (#any-of? @_key
    "expression" "messageExpression" "valueExpression" "rule" "\"expression\""
    "\"messageExpression\"" "\"valueExpression\"" "\"rule\"")
  (#set! injection.language "cel"))
