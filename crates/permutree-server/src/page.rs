//! The files of the page, embedded in the program.

use crate::error::Refusal;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};

/// The build of `web/`. It is committed, so installing the program does not need Node.js.
#[derive(rust_embed::RustEmbed)]
#[folder = "page/"]
struct Files;

/// An embedded file, by the path of the request. No file is read at run time.
pub(crate) async fn file(uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(file) = Files::get(name) else {
        return Refusal::missing("not found; the page is at /, and /openapi.json describes the API")
            .into_response();
    };
    let keep = match name {
        "index.html" => "no-cache",
        // Vite puts a hash of the contents into these names.
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
