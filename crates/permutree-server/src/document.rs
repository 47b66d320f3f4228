use crate::State;
use crate::{experiment_api, position, registry, search_api};
use serde_json::Value;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(info(
    title = "Permutree",
    description = "Games, searches and experiments. Unknown, invalid or over-limit requests return 4xx with a one-line explanation in `error`."
))]
struct Document;

/// Every endpoint with its description.
pub(crate) fn routes() -> OpenApiRouter<State> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(registry::games))
        .routes(routes!(registry::agents))
        .routes(routes!(registry::limits))
        .routes(routes!(position::position))
        .routes(routes!(search_api::start))
        .routes(routes!(search_api::show, search_api::remove))
        .routes(routes!(search_api::events))
        .routes(routes!(search_api::look))
        .routes(routes!(search_api::stop))
        .routes(routes!(experiment_api::list, experiment_api::start))
        .routes(routes!(experiment_api::show, experiment_api::remove))
        .routes(routes!(experiment_api::events))
        .routes(routes!(experiment_api::stop))
        .routes(routes!(experiment_api::resume))
        .routes(routes!(experiment_api::games))
        .routes(routes!(experiment_api::save))
}

/// The OpenAPI description of the HTTP API.
#[must_use]
pub fn openapi() -> String {
    let mut document = serde_json::to_value(routes().into_openapi()).unwrap_or_default();
    without_rust(&mut document);
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    // Moves are text everywhere in the API.
    text.replace("Report_String", "Report")
}

/// Descriptions come from doc comments. Their Rust examples and links to Rust items are removed.
fn without_rust(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if key == "description" => *text = plain(text),
                    other => without_rust(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_rust),
        _ => {}
    }
}

fn plain(text: &str) -> String {
    // Text and code alternate, beginning with text.
    let text: Vec<&str> = text.split("```").step_by(2).map(str::trim).collect();
    let mut rest = text.join("\n\n").trim().replace("[`", "`");
    while let Some(end) = rest.find("`]") {
        let link = rest[end + 2..].strip_prefix('(').and_then(|target| target.find(')'));
        rest.replace_range(end + 1..end + 2 + link.map_or(0, |length| length + 2), "");
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_have_no_rust() {
        let text =
            "Ends at [`MAX`](crate::MAX); see [`Args`].\n\n```\nuse a::B;\n```\n\nThat is [0, 1] (`x`).";
        assert_eq!(plain(text), "Ends at `MAX`; see `Args`.\n\nThat is [0, 1] (`x`).");
        assert_eq!(plain("A table, `a[0]`."), "A table, `a[0]`.");
    }
}
