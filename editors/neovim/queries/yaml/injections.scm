; extends
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

; Without the quotes and the escapes.
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
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "cel"))

; Without the header, which has one character, two or three, and without its comment.
(_
  key: (flow_node) @_key
  value: (block_node
    (block_scalar) @injection.content)
  (#any-of? @_key
    "expression" "messageExpression" "valueExpression" "rule" "\"expression\""
    "\"messageExpression\"" "\"valueExpression\"" "\"rule\"")
  (#lua-match? @injection.content "^[|>]%s")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "cel"))

(_
  key: (flow_node) @_key
  value: (block_node
    (block_scalar) @injection.content)
  (#any-of? @_key
    "expression" "messageExpression" "valueExpression" "rule" "\"expression\""
    "\"messageExpression\"" "\"valueExpression\"" "\"rule\"")
  (#lua-match? @injection.content "^[|>][-+1-9]%s")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "cel"))

(_
  key: (flow_node) @_key
  value: (block_node
    (block_scalar) @injection.content)
  (#any-of? @_key
    "expression" "messageExpression" "valueExpression" "rule" "\"expression\""
    "\"messageExpression\"" "\"valueExpression\"" "\"rule\"")
  (#lua-match? @injection.content "^[|>][-+1-9][-+1-9]%s")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "cel"))
