use crate::error::Refusal;
use crate::experiments::Experiments;
use crate::searches::Searches;
use crate::{Limits, State, experiment_api, guard, page, position, registry, search_api};
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Router, middleware};
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A server that listens and has not begun to answer.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    state: State,
    /// A folder of its own, which goes away with the server.
    temporary: Option<PathBuf>,
}

/// Why a server cannot be. Each shows as one line.
#[derive(Debug)]
pub enum ServerError {
    /// Others could reach it, and there is no token.
    NoToken(SocketAddr),
    /// The token could be guessed, or cannot stand in an address.
    WeakToken,
    /// The address is taken, or not one of this machine.
    Listen(SocketAddr, std::io::Error),
    /// Files cannot be kept there.
    Folder(PathBuf, std::io::Error),
    /// The machine gave up.
    Io(std::io::Error),
}

impl std::error::Error for ServerError {}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken(address) => write!(
                f,
                "{address} can be reached from other machines; give a --token that visitors must know, or bind 127.0.0.1"
            ),
            Self::WeakToken => f.write_str("a token has 16 letters, digits, - or _ at least"),
            Self::Listen(address, error) => write!(f, "{address}: {error}"),
            Self::Folder(folder, error) => write!(f, "{}: {error}", folder.display()),
            Self::Io(error) => error.fmt(f),
        }
    }
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Permutree",
    description = "Games, searches and experiments. Wrong requests get a 4xx answer with one line in `error`."
))]
struct Document;

fn routes() -> OpenApiRouter<State> {
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

/// The description of the API.
#[must_use]
pub fn openapi() -> String {
    routes().into_openapi().to_pretty_json().unwrap_or_default()
}

impl Server {
    /// Listens at an address. Experiments are kept in `data`, or in a folder of the server's own if there is none.
    /// Where others can reach the address, visitors must have a token.
    pub fn bind(
        address: SocketAddr,
        token: Option<String>,
        limits: Limits,
        data: Option<&Path>,
    ) -> Result<Self, ServerError> {
        if !address.ip().is_loopback() && token.is_none() {
            return Err(ServerError::NoToken(address));
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if token.as_ref().is_some_and(|token| token.len() < 16 || !token.chars().all(plain)) {
            return Err(ServerError::WeakToken);
        }
        let listener = TcpListener::bind(address).map_err(|error| ServerError::Listen(address, error))?;
        let address = listener.local_addr().map_err(ServerError::Io)?;
        listener.set_nonblocking(true).map_err(ServerError::Io)?;
        let temporary = data.is_none().then(|| {
            let name = format!("permutree-{}-{:016x}", std::process::id(), crate::searches::fresh_id());
            std::env::temp_dir().join(name)
        });
        let folder = data.map(Path::to_path_buf).or_else(|| temporary.clone()).unwrap_or_default();
        std::fs::create_dir_all(&folder).map_err(|error| ServerError::Folder(folder.clone(), error))?;
        let limits = Arc::new(limits);
        let state = State {
            token: token.map(Arc::from),
            searches: Searches::start(limits.clone()),
            experiments: Experiments::start(limits.clone(), folder),
            limits,
        };
        Ok(Self { listener, address, state, temporary })
    }

    /// Where it listens: with port 0, the port that was free.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` becomes true.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(32)
            .enable_all()
            .build()
            .map_err(ServerError::Io)?;
        let app = self.app();
        let listener = self.listener;
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            // Streams of events never end by themselves, so nobody waits for them.
            tokio::select! {
                served = std::future::IntoFuture::into_future(axum::serve(listener, app)) => served,
                () = until(stop) => Ok(()),
            }
        });
        self.state.searches.close();
        self.state.experiments.close();
        runtime.shutdown_background();
        if let Some(folder) = self.temporary {
            let _ = std::fs::remove_dir_all(folder);
        }
        served.map_err(ServerError::Io)
    }

    fn app(&self) -> Router {
        let (router, document) = routes().split_for_parts();
        let document = document.to_json().unwrap_or_default();
        let json = [(axum::http::header::CONTENT_TYPE, "application/json")];
        let header = |name: &'static str, value: &'static str| {
            SetResponseHeaderLayer::overriding(HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        router
            .route("/openapi.json", get(async move || (json, document.clone())))
            .route("/api/{*path}", axum::routing::any(unknown))
            .fallback_service(get(page::file).fallback(unsuited))
            .method_not_allowed_fallback(unsuited)
            .layer(DefaultBodyLimit::max(self.state.limits.body))
            .layer(middleware::from_fn_with_state(self.state.clone(), guard::guard))
            .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| Refusal::fault().into_response()))
            .layer(header("x-content-type-options", "nosniff"))
            .layer(header("referrer-policy", "no-referrer"))
            .layer(header("x-frame-options", "DENY"))
            .layer(header(
                "content-security-policy",
                "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'",
            ))
            .with_state(self.state.clone())
    }
}

async fn until(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn unknown() -> Refusal {
    Refusal::missing("there is no such thing in the API; /openapi.json says what there is")
}

async fn unsuited() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "that cannot be done with this; /openapi.json says what can")
}
