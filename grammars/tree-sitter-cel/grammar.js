/// <reference types="tree-sitter-cli/dsl" />
// CEL, the Common Expression Language. A text has an error here if it does not match the syntax
// of cel-go. What cel-go rejects later is left to the language server: numbers that are too
// large, wrong arguments of macros, too much nesting.

// A type and a field can have these words as a name, but no variable and no function can.
const RESERVED = [
  'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop',
  'namespace', 'package', 'return', 'var', 'void', 'while',
];

// The words that are never a name.
const KEYWORDS = ['false', 'in', 'null', 'true'];

// From the loosest to the tightest.
const BINARY = [
  ['||'],
  ['&&'],
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** The precedence of the operators `!` and `-` in front of an operand. */
const UNARY = BINARY.length + 1;

/** At least one item, with commas between. */
const separated = (item) => seq(item, repeat(seq(',', item)));

/** Items of which the last one may have a comma. Without items, a comma alone is allowed. */
const items = (item) => optional(choice(',', seq(separated(item), optional(','))));

/** One of the rules, or the only one. */
const oneOf = (rules) => (rules.length === 1 ? rules[0] : choice(...rules));

/** A word where it cannot be a name. Without this rule, it would be read as an identifier there. */
const never = (...words) => seq(oneOf(words), token.immediate(/[^\u0000-\u{10FFFF}]/u));

/** The forms of a string with one of the prefixes: four kinds of quotes. */
const quoted = (prefixes, escape) => {
  const open = (quotes) => token(oneOf(prefixes.map((prefix) => prefix + quotes)));
  const text = (pattern) => token.immediate(prec(1, pattern));
  const inside = (...parts) => repeat(oneOf([...parts, ...(escape ? [escape] : [])]));
  const slash = escape ? '\\\\' : '';
  const single = (quote) =>
    seq(open(quote), inside(text(new RegExp(`[^${quote}${slash}\\r\\n]+`))), token.immediate(quote));
  const triple = (quote) => {
    const quotes = quote.repeat(3);
    const body = inside(text(new RegExp(`[^${quote}${slash}]+`)), token.immediate(quote));
    return seq(open(quotes), body, token.immediate(quotes));
  };
  return choice(single('"'), single("'"), triple('"'), triple("'"));
};

module.exports = grammar({
  name: 'cel',

  word: ($) => $.identifier,

  extras: ($) => [/[ \t\r\n\f]/, $.comment],

  // `a.b` is a type if a brace follows.
  conflicts: ($) => [[$._operand, $._type_name], [$.global_identifier, $._type_name]],

  rules: {
    source: ($) => $._expression,

    comment: () => token(seq('//', /[^\n]*/)),

    _expression: ($) => choice($.conditional_expression, $._term),

    // Between `?` and `:`, another conditional needs parentheses.
    conditional_expression: ($) => seq(
      field('condition', $._term), '?',
      field('consequence', $._term), ':',
      field('alternative', $._expression),
    ),

    _term: ($) => choice($.binary_expression, $.unary_expression, $._operand),

    binary_expression: ($) => choice(...BINARY.map((operators, precedence) =>
      prec.left(precedence + 1, seq(
        field('left', $._term),
        field('operator', oneOf(operators)),
        field('right', $._term),
      )))),

    // `!-a` and `-!a` are errors, `!-1` is not: there the sign is part of the number.
    unary_expression: ($) => prec(UNARY, seq(
      choice(repeat1(field('operator', '!')), repeat1(field('operator', '-'))),
      field('operand', $._operand),
    )),

    _operand: ($) => choice(
      $.identifier,
      $.global_identifier,
      $.select_expression,
      $.index_expression,
      $.call_expression,
      $.struct_expression,
      $.parenthesized_expression,
      $.list,
      $.map,
      $.int,
      $.uint,
      $.double,
      $.string,
      $.bytes,
      $.true,
      $.false,
      $.null,
      never('in'),
    ),

    global_identifier: ($) => seq('.', choice($.identifier, never(...KEYWORDS))),

    select_expression: ($) => seq(
      field('operand', $._operand), '.', optional('?'),
      field('field', choice($._name, $.escaped_identifier)),
    ),

    index_expression: ($) => seq(
      field('operand', $._operand), '[', optional('?'), field('index', $._expression), ']',
    ),

    call_expression: ($) => choice(
      seq(optional('.'), field('function', $.identifier), field('arguments', $.arguments)),
      seq(
        field('receiver', $._operand), '.',
        field('function', $._name), field('arguments', $.arguments),
      ),
    ),

    arguments: ($) => seq('(', optional(separated($._expression)), ')'),

    struct_expression: ($) => seq(field('type', $.type), '{', items($.field), '}'),

    type: ($) => seq(optional('.'), $._type_name, repeat(seq('.', $._name))),

    field: ($) => seq(
      optional('?'), field('name', choice($._name, $.escaped_identifier)), ':',
      field('value', $._expression),
    ),

    parenthesized_expression: ($) => seq('(', $._expression, ')'),

    list: ($) => seq('[', items(seq(optional('?'), $._expression)), ']'),

    map: ($) => seq('{', items($.entry), '}'),

    entry: ($) => seq(
      optional('?'), field('key', $._expression), ':', field('value', $._expression),
    ),

    _name: ($) => choice($._type_name, never(...KEYWORDS)),

    _type_name: ($) => choice($.identifier, alias(choice(...RESERVED), $.identifier)),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,

    escaped_identifier: () => /`[A-Za-z0-9_.\-\/ ]+`/,

    int: ($) => prec(UNARY + 1, seq(optional('-'), token(/[0-9]+|0x[0-9A-Fa-f]+/))),

    uint: () => token(/([0-9]+|0x[0-9A-Fa-f]+)[uU]/),

    double: ($) => prec(UNARY + 1, seq(
      optional('-'), token(/[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/),
    )),

    string: ($) => choice(
      quoted([''], $.escape_sequence),
      quoted(['r', 'R']),
    ),

    bytes: ($) => choice(
      quoted(['b', 'B'], $.escape_sequence),
      quoted(['br', 'bR', 'Br', 'BR']),
    ),

    escape_sequence: () => token.immediate(
      /\\([abfnrtv\\"'`?]|[xX][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-3][0-7]{2})/,
    ),

    true: () => 'true',

    false: () => 'false',

    null: () => 'null',
  },
});
