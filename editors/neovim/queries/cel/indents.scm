[
  (arguments)
  (parenthesized_expression)
  (index_expression)
  (list)
  (map)
  (struct_expression)
] @indent.begin

[
  ")"
  "]"
  "}"
] @indent.end @indent.branch

(comment) @indent.auto
