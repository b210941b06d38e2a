//! The errors of an object, as the server reports them.

use crate::warning::Warning;
use policy::field_error::FieldError;

/// The result of the rules for an object.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) errors: Vec<FieldError>,
    /// Errors that existed before, which do not deny the request.
    pub(crate) warnings: Vec<Warning>,
    /// Why the rules were stopped by a limit that an API server does not have.
    pub(crate) stopped: Option<&'static str>,
}
