//! The files of the page, which are inside the program.

use crate::error::Refusal;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};

/// What `web/` builds to. It is part of the repository, so that who installs the program needs no Node.
#[derive(rust_embed::RustEmbed)]
#[folder = "page/"]
struct Files;

/// The file of this name; there are no others than those that were there when the program was built.
pub(crate) async fn file(uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(file) = Files::get(name) else {
        return Refusal::missing("there is no such page; the page is at /, the API at /openapi.json")
            .into_response();
    };
    let keep = match name {
        "index.html" => "no-cache",
        // Names of what Vite builds change with their contents.
        name if name.starts_with("assets/") => "public, max-age=31536000, immutable",
        _ => "public, max-age=3600",
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep)], file.data).into_response()
}
