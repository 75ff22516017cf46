import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceKit
import ServiceLifecycle

/// A mail server with STARTTLS that keeps the mails that it receives.
struct SMTPFake: Service {
    let address: ListenAddress
    let mails: MailStore
    let script: Script
    /// The folder for the certificate; `nil` for no TLS.
    let certificates: String?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger
    /// Receives the port once the server listens.
    var onListening: @Sendable (Int) async -> Void = { _ in }

    func run() async throws {
        var identity: ServerIdentity?
        if let certificates { identity = try await ServerIdentity.make(in: certificates) }
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [identity, mails, script, now] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        SMTPHandler(identity: identity, mails: mails, script: script, now: now))
                }
            }
            .bind(host: address.host, port: address.port).get()
        await onListening(server.localAddress?.port ?? 0)
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await server.close()
    }
}
