//! The tools as rmcp's macros make them, called through its router with the arguments' bytes.
//! Not the protocol around it.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, CallToolResponse, RequestId};
use rmcp::service::{Peer, RequestContext, RoleServer, RunningService, serve_directly};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use tokio::runtime::Runtime;

use crate::cases::done;
use crate::tools::{Lines, Opened, Restart};

struct Server {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Server {
    /// Lines of a document.
    #[tool]
    async fn read_lines(&self, Parameters(arguments): Parameters<Lines>) -> String {
        done(&arguments)
    }

    /// A service.
    #[tool]
    async fn look_at_service(&self, Parameters(arguments): Parameters<Restart>) -> String {
        done(&arguments)
    }

    /// An incident.
    #[tool]
    async fn check_incident(&self, Parameters(arguments): Parameters<Opened>) -> String {
        done(&arguments)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {}

/// A server with nobody at its other end, whose router is called.
pub struct Router {
    server: Server,
    peer: Peer<RoleServer>,
    _service: RunningService<RoleServer, Server>,
    _far_end: tokio::io::DuplexStream,
}

fn server() -> Server {
    Server { tool_router: Server::tool_router() }
}

impl Router {
    pub fn new(runtime: &Runtime) -> Self {
        let _inside = runtime.enter();
        let (near, far) = tokio::io::duplex(64);
        let service = serve_directly::<RoleServer, _, _, _, _>(server(), near, None);
        Self { server: server(), peer: service.peer().clone(), _service: service, _far_end: far }
    }

    pub fn call(&self, runtime: &Runtime, tool: &'static str, bytes: &str, accepted: bool) {
        let arguments = serde_json::from_slice(bytes.as_bytes()).unwrap();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let context = RequestContext::new(RequestId::Number(1), self.peer.clone());
        let call = self.server.tool_router.call(ToolCallContext::new(&self.server, params, context));
        let fault = match runtime.block_on(call) {
            Ok(CallToolResponse::Complete(result)) => result.is_error == Some(true),
            Ok(_) => panic!("a tool of these asks for nothing"),
            Err(_) => true,
        };
        assert_eq!(fault, !accepted);
    }
}
