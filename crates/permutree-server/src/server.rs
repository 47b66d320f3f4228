use crate::document::{openapi, routes};
use crate::error::Refusal;
use crate::experiments::Experiments;
use crate::id::Id;
use crate::searches::Searches;
use crate::{Limits, State, guard, page};
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

/// A server that listens but does not answer yet; [`Server::run`] answers.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    state: State,
    /// The folder that is deleted with the server.
    temporary: Option<PathBuf>,
}

/// Why a server cannot start or run. Each is displayed as one line.
#[derive(Debug)]
pub enum ServerError {
    /// Other machines can reach this address, and there is no token.
    NoToken(SocketAddr),
    /// The token is too short, or has characters that need escaping in a URL.
    WeakToken,
    /// The server cannot listen at this address.
    Listen(SocketAddr, std::io::Error),
    /// The folder for experiments cannot be created.
    Folder(PathBuf, std::io::Error),
    /// Another input or output error.
    Io(std::io::Error),
}

impl std::error::Error for ServerError {}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToken(address) => {
                write!(f, "{address} is reachable from other machines: set a --token, or bind 127.0.0.1")
            }
            Self::WeakToken => {
                f.write_str("a token must have at least 16 characters: letters, digits, - and _")
            }
            Self::Listen(address, error) => write!(f, "{address}: {error}"),
            Self::Folder(folder, error) => write!(f, "{}: {error}", folder.display()),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl Server {
    /// Listens at this address. Experiments are kept in `data`, or without it in a temporary folder that is deleted with the
    /// server. An address that other machines can reach requires a token. Described games are refused unless
    /// [`permutree_zoo::gdl::confine`] names a folder for them first.
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
        permutree_zoo::gdl::confine_if_open();
        let listener = TcpListener::bind(address).map_err(|error| ServerError::Listen(address, error))?;
        let address = listener.local_addr().map_err(ServerError::Io)?;
        listener.set_nonblocking(true).map_err(ServerError::Io)?;
        let temporary = data.is_none().then(|| {
            let name = format!("permutree-{}-{}", std::process::id(), Id::fresh());
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

    /// The address, with the port that the system chose if port 0 was requested.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` becomes true.
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
            // Open event streams do not delay the end.
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
        let (router, _) = routes().split_for_parts();
        let document = openapi();
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
    Refusal::missing("not found; /openapi.json describes the API")
}

async fn unsuited() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed; /openapi.json describes the API")
}
