[
  (arguments)
  (parenthesized_expression)
  (index_expression)
  (list)
  (map)
  (struct_expression)
] @indent

[
  ")"
  "]"
  "}"
] @outdent
