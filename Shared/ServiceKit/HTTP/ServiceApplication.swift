package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
package import ServiceLifecycle

/// The HTTP server of an internal service: every route behind an assertion, errors as problems, sizes bounded.
///
/// - Parameter callers: the processes that may call; the secret `assertion_<caller>_<service>` of each is read.
package func serviceApplication(
    _ context: ProcessContext, callers: [Caller], routes: (ServiceRoutes) -> Void
) throws -> some Service {
    let pairs = try callers.map { caller in
        (caller, try context.settings.secrets.keyRing("assertion_\(caller.rawValue)_\(context.settings.name)"))
    }
    let verifier = AssertionVerifier(
        service: context.settings.name, keys: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    let router = serviceRouter(verifier: verifier, routes: routes)
    return boundedApplication(router, address: context.settings.listen, logger: context.logger)
}

/// The router of an internal service, also for tests without a socket.
package func serviceRouter(
    verifier: AssertionVerifier, routes: (ServiceRoutes) -> Void
) -> Router<ServiceRequestContext> {
    let router = Router(context: ServiceRequestContext.self)
    router.addMiddleware {
        UnexpectedErrorMiddleware()
        RequestMetricsMiddleware()
        AssertionMiddleware(verifier: verifier)
    }
    routes(ServiceRoutes(router))
    return router
}

/// A Hummingbird server with our limits in place of its defaults.
package func boundedApplication<Context>(
    _ router: Router<Context>, address: ListenAddress, logger: Logger
) -> some Service where Context: InitializableFromSource<ApplicationRequestContextSource> {
    let limits = HTTP1Channel.Configuration(
        idleTimeout: .seconds(ServiceLimits.idleSeconds),
        httpDecoderConfiguration: .init(
            maxHeaderFieldSize: ServiceLimits.headerBytesMax, maxHeaderListSize: ServiceLimits.headerBytesMax,
            maxHeaderFieldCount: ServiceLimits.headerCountMax))
    return Application(
        router: router, server: .http1(configuration: limits),
        configuration: .init(
            address: .hostname(address.host, port: address.port), backlog: 1024,
            availableConnectionsDelegate: .maximum(ServiceLimits.connectionsMax, logger: logger)),
        logger: logger)
}
