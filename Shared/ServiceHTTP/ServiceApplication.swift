package import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import InternalAPI
package import Logging
import NIOCore
package import NIOSSL
package import ServiceCalls
package import ServiceKit
package import ServiceLifecycle
import Tracing

/// Returns the HTTP server of an internal service: every route requires an assertion, errors are problems, sizes are
/// bounded. With a certificate it uses only TLS, and the upkeep of the certificate comes with it.
///
/// The operations define which processes may call.
///
/// - Parameter isReady: whether calls would succeed; the server listens once they would, so that callers choose other replicas
///   until then, or after `ServiceLimits.readySecondsMax`, since a refusal says more than a closed port.
package func serviceApplication(
    _ context: ProcessContext, isReady: @escaping @Sendable () -> Bool = { true },
    operations: (inout ServiceRoutes) -> Void
) throws -> [any Service] {
    var routes = ServiceRoutes()
    operations(&routes)
    let router = serviceRouter(verifier: try assertionVerifier(context, callers: routes.callers), routes: routes)
    let certificate = try ServiceCertificate(context.settings)
    let server = ReadyServer(
        isReady: isReady,
        server: try boundedApplication(
            router, address: context.settings.listen, tls: certificate?.tls, logger: context.logger))
    return (certificate.map { [$0.upkeep(logger: context.logger)] } ?? []) + [server]
}

/// Returns the verifier for calls of these processes; it reads the secret `assertion_<caller>_<service>` of each.
package func assertionVerifier(_ context: ProcessContext, callers: Set<Caller>) throws -> AssertionVerifier {
    let pairs = try callers.map { caller in
        (caller, try context.settings.secrets.keyRing("assertion_\(caller.rawValue)_\(context.settings.name)"))
    }
    return AssertionVerifier(
        service: context.settings.name, keys: Dictionary(pairs, uniquingKeysWith: { first, _ in first }),
        clocks: context.clocks)
}

/// Returns the router of an internal service, also for tests without a socket.
package func serviceRouter(
    verifier: AssertionVerifier, operations: (inout ServiceRoutes) -> Void
) -> Router<ServiceRequestContext> {
    var routes = ServiceRoutes()
    operations(&routes)
    return serviceRouter(verifier: verifier, routes: routes)
}

private func serviceRouter(verifier: AssertionVerifier, routes: ServiceRoutes) -> Router<ServiceRequestContext> {
    let router = Router(context: ServiceRequestContext.self)
    router.addMiddleware {
        UnexpectedErrorMiddleware()
        RequestMetricsMiddleware()
        AssertionMiddleware(verifier: verifier)
    }
    // It follows the caller's `traceparent`, so it comes after the assertion.
    if !(InstrumentationSystem.tracer is NoOpTracer) { router.add(middleware: TracingMiddleware()) }
    router.addMiddleware {
        // An error of a handler becomes a response like any other, and gets a proof too.
        UnexpectedErrorMiddleware()
    }
    routes.add(to: router)
    return router
}

/// Returns a Hummingbird server with our limits instead of its defaults.
///
/// - Parameter tls: The TLS of its port; `nil` for plain HTTP.
package func boundedApplication<Context>(
    _ router: Router<Context>, address: ListenAddress, tls: TLSConfiguration? = nil, logger: Logger
) throws -> some Service where Context: InitializableFromSource<ApplicationRequestContextSource> {
    let limits = HTTP1Channel.Configuration(
        idleTimeout: .seconds(ServiceLimits.idleSeconds),
        httpDecoderConfiguration: .init(
            maxHeaderFieldSize: ServiceLimits.headerBytesMax, maxHeaderListSize: ServiceLimits.headerBytesMax,
            maxHeaderFieldCount: ServiceLimits.headerCountMax))
    let plain = HTTPServerBuilder.http1(configuration: limits)
    let application = Application(
        router: router, server: try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain,
        configuration: .init(
            address: .hostname(address.host, port: address.port), backlog: 1024,
            availableConnectionsDelegate: .maximum(ServiceLimits.connectionsMax, logger: logger)),
        logger: logger)
    return NamedListener(address: address, application: application)
}

/// A server whose failure to listen names the setting and the address.
private struct NamedListener<Server: Service>: Service {
    let address: ListenAddress
    let application: Server

    func run() async throws {
        try await ListenFailure.naming("LATCHKEY_LISTEN", address) { try await application.run() }
    }
}

/// A server that begins to listen once calls succeed.
private struct ReadyServer<Server: Service>: Service {
    let isReady: @Sendable () -> Bool
    let server: Server

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let end = ContinuousClock.now + .seconds(ServiceLimits.readySecondsMax)
            while !isReady(), ContinuousClock.now < end {
                do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
            }
        }
        try await server.run()
    }
}
