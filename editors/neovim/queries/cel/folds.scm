[
  (arguments)
  (parenthesized_expression)
  (list)
  (map)
  (struct_expression)
] @fold
