//! Requests: URLs that would be fetched or sent to.

use super::access::by_certainty;
use super::{Doubt, Outcome};
use crate::policy::UrlCondition;
use crate::scene::Scene;
use crate::truth::Direction;
use crate::unit::RequestUnit;

/// Whether a request is one of these.
pub(crate) fn request_held(
    conditions: &[UrlCondition],
    request: &RequestUnit<'_>,
    scene: &Scene<'_>,
    direction: Direction,
) -> Outcome {
    let outcome =
        Outcome::any(conditions.iter().map(|condition| {
            Outcome::of(scene.url_held(condition, request.url, request.method, direction), Doubt::Url)
        }));
    by_certainty(outcome, request.certainty, direction)
}
