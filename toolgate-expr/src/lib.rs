//! The expressions of toolgate: a total, bounded subset of CEL, parsed, type-checked and evaluated without dependencies.
//!
//! Not a scripting language: no loops, no arithmetic, no regular expressions, no functions of the user's. Every
//! expression ends, in time bounded by its own size (1,024 bytes, depth 24, 256 nodes) and that of the values it reads.
//!
//! What an expression can't answer (a field that is missing, two values that can't be ordered) is an error and
//! never `false`; `error || true` is still true and `error && false` still false, as in CEL.
//!
//! ```
//! use toolgate_expr::{Value, parse};
//!
//! let rule = parse("result.status == 'unhealthy'", &["result", "args"]).unwrap();
//! let result = Value::Map(vec![("status".into(), Value::Text("unhealthy".into()))]);
//! assert_eq!(rule.holds(&|root| (root == "result").then(|| result.clone())), Ok(true));
//!
//! let typo = parse("resutl.status == 'unhealthy'", &["result", "args"]).unwrap_err();
//! assert_eq!(
//!     typo.to_string(),
//!     "unknown variable `resutl`, expected one of: result, args; did you mean `result`?"
//! );
//! ```

mod value;

mod error;
mod expr;

mod lexer;

mod parser;

mod reads;

mod eval;

mod types;

mod check;

pub mod nearest;

pub use check::{TypeFault, check};
pub use error::{Cause, EvalError, ParseError};
pub use eval::Trace;
pub use expr::{Expr, MAX_BYTES, MAX_DEPTH, MAX_NODES, parse, parse_all, parse_traced};
pub use nearest::{did_you_mean, nearest};
pub use reads::{Beside, Step};
pub use types::{PROVENANCES, Type};
pub use value::Value;
