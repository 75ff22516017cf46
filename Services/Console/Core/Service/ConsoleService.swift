import Hummingbird
import Logging
import OutgoingConnections
import Policies
import ServiceCalls
import ServiceHTTP
package import ServiceKit
import ServiceLifecycle

/// The console: pages for administrators, made from the API with the administrator's own tokens.
package enum ConsoleService {
    package static let name = "console"
    package static let defaultPort = 8084
    private static let gatewayVariable = "GATEWAY_URL"

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(
            name, "console shows administrators' pages, which the gateway passes on at /console.",
            defaultPort: defaultPort
        ) { try plan($0) }
    }

    /// Builds the process from its settings.
    package static func plan(_ context: ProcessContext) throws -> ProcessPlan {
        guard context.policy.admin.console else {
            throw SettingsError(
                "admin.console",
                "is false in the policy, so that the gateway passes nothing on to it. Set it and admin.api to true.")
        }
        let base = context.settings.text(gatewayVariable) ?? ""
        guard let url = PublicURL(base) else {
            throw SettingsError.invalid(gatewayVariable, base, use: "a URL such as http://127.0.0.1:8080")
        }
        let client = makeHTTPClient(readSeconds: GatewayCalls.limitSeconds)
        let site = ConsoleSite(
            sessions: AdminSessions(),
            calls: GatewayCalls(
                exchange: HTTPProviderExchange(client: client, answerBytesMax: GatewayCalls.answerBytesMax),
                base: url.text
            ) { error in
                let cause = (error as? ConnectionFailure)?.rawValue ?? "\(type(of: error))"
                context.logger.warning("gateway.unavailable", metadata: ["cause": "\(cause)"])
            },
            appName: context.policy.messages.appName, allowsPlain: context.settings.environment == .development,
            clock: { UnixTime.seconds() })
        return ProcessPlan(services: [
            OutgoingCalls(client: client),
            try boundedApplication(router(site), address: context.settings.listen, logger: context.logger),
        ])
    }

    /// Returns the one route: the site reads the path itself.
    static func router(_ site: ConsoleSite) -> Router<ServiceRequestContext> {
        let router = Router(context: ServiceRequestContext.self)
        for path in [PageFrame.root, PageFrame.root + "/**"].map({ RouterPath($0) }) {
            for method in [.get, .post] as [HTTPRequest.Method] {
                router.on(path, method: method) { request, _ in await respond(to: request, site) }
            }
        }
        return router
    }

    private static func respond(to request: Request, _ site: ConsoleSite) async -> Response {
        let visit = await Visit(
            request, cookieName: { ConsoleSite.cookieName(isSecure: $0) }, sessions: site.sessions)
        guard let visit else { return Response(status: .badRequest) }
        return await site.reply(to: visit).response
    }
}
