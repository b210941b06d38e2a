//! The limits of cel-go's parser.
//!
//! The API server rejects an expression that exceeds one of these, even if it is otherwise valid.
//! They bound our own recursion as well.

/// Limit: code points of an expression. cel-go, parser/parser.go, `NewParser`,
/// `expressionSizeCodePointLimit`.
pub(crate) const MAX_CODE_POINTS: usize = 100_000;

/// Limit: nested grammar rules of one kind while parsing, and nested operations in the tree.
/// cel-go, parser/parser.go, `NewParser`, `maxRecursionDepth`.
pub(crate) const MAX_NESTING: u32 = 250;

/// Limit: tokens that are skipped after an error. cel-go, parser/parser.go, `NewParser`,
/// `errorRecoveryTokenLookaheadLimit`.
pub(super) const MAX_SKIPPED: usize = 256;

/// Limit: errors that are reported for one expression, as in cel-go, common/errors.go,
/// `NewErrors`.
pub const MAX_ERRORS: usize = 100;
