import Hummingbird
import Logging
import NIOCore

/// The least that a server can do with a request: read a body and send it back. Run as a process of its own, so that its CPU
/// is counted apart.
package enum EchoServer: String, Sendable, CaseIterable {
    case hummingbird
    case nio

    private static let bodyBytesMax = 1 << 16

    /// Serves on a free port, which `announce` gets, until the process ends.
    package func run(announce: @escaping @Sendable (Int) -> Void) async throws {
        switch self {
        case .hummingbird: try await Self.runHummingbird(announce)
        case .nio: try await Self.runNIO(announce)
        }
    }

    private static func runHummingbird(_ announce: @escaping @Sendable (Int) -> Void) async throws {
        let router = Router()
        router.post("/echo") { request, _ in
            let body = try await request.body.collect(upTo: bodyBytesMax)
            return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
        }
        var logger = Logger(label: "echo")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in announce(channel.localAddress?.port ?? 0) }, logger: logger)
        try await application.runService()
    }

    private static func runNIO(_ announce: (Int) -> Void) async throws {
        let server = try await LoopbackServer.start { ServedAnswer(status: 200, body: $0.body) }
        announce(server.port)
        // Ends by SIGTERM; the time is a bound for one that was forgotten.
        try await Task.sleep(for: .seconds(600))
        await server.stop()
    }
}
