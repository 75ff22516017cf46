import AsyncHTTPClient
import Configuration
import CryptoPrimitives
import Foundation
import InternalAPI
import Logging
import NIOCore
import OutgoingConnections
import ServerNames
import ServiceCalls
import ServiceHTTP
import ServiceKit
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// A service at a port of this machine, and a caller of it that trusts an authority.
struct InternalTLS: Sendable {
    static let operation = InternalOperation<NoBody, NoBody, NoRefusal>(
        .get, "/here", from: [.user], timeLimit: .seconds(30))

    let folder: String
    let authority: TestAuthority
    let port: Int
    let certificate: ServiceCertificate?
    let authorities: InternalAuthorities
    private let keys: KeyRing
    private let calls: CallCount

    private final class CallCount: Sendable {
        let value = Atomic<Int>(0)
    }

    /// The calls that the service has received.
    var received: Int { calls.value.load(ordering: .relaxed) }

    /// Runs `body` with a service that has the certificate of `request`, or none.
    static func run(
        _ request: TestCertificate.Request? = .init(), _ body: @Sendable (InternalTLS) async throws -> Void
    ) async throws {
        try await withScratchFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            if let request { try await place(request, by: authority, in: folder) }
            let certificate = try request.flatMap { _ in try ServiceCertificate(settings(folder)) }
            try Data(contentsOf: URL(filePath: authority.certificate)).write(to: URL(filePath: folder + "/trusted"))
            let tls = InternalTLS(
                folder: folder, authority: authority, port: try await FreePort.find(), certificate: certificate,
                authorities: try InternalAuthorities(file: folder + "/trusted"),
                keys: try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))"), calls: CallCount())
            try await tls.serve { try await body(tls) }
        }
    }

    /// The settings of a service with the certificate in `folder`.
    static func settings(_ folder: String, _ others: [String: String] = [:]) throws -> ProcessSettings {
        let own = [
            "LATCHKEY_INTERNAL_TLS_CERTIFICATE": folder + "/service.crt",
            "INTERNAL_TLS_KEY_FILE": folder + "/service.key",
            "LATCHKEY_ENV": "development",
        ]
        return try ProcessSettings(
            name: "token", defaultPort: 8082,
            reader: ConfigReader(
                provider: EnvironmentVariablesProvider(environmentVariables: own.merging(others) { $1 })))
    }

    static func place(
        _ request: TestCertificate.Request, by authority: TestAuthority, in folder: String
    ) async throws {
        try await authority.issue("issued", request).place(in: folder, as: "service")
    }

    /// Issues another certificate, which the service reads at its next reload.
    func place(_ request: TestCertificate.Request, by authority: TestAuthority? = nil) async throws {
        try await Self.place(request, by: authority ?? self.authority, in: folder)
    }

    /// Makes these the authorities that the caller trusts after its next reload.
    func trust(_ others: [TestAuthority]) throws {
        let text = try others.map { try Data(contentsOf: URL(filePath: $0.certificate)) }.reduce(Data(), +)
        try text.write(to: URL(filePath: folder + "/trusted"), options: .atomic)
    }

    private func serve(_ body: () async throws -> Void) async throws {
        let router = serviceRouter(verifier: AssertionVerifier(service: "token", keys: [.user: keys])) { routes in
            routes.on(Self.operation) { [calls] _, _ in
                calls.value.add(1, ordering: .relaxed)
                return .answer(NoBody())
            }
        }
        let logger = Logger(label: "test")
        let server = try boundedApplication(
            router, address: ListenAddress(host: "127.0.0.1", port: port), tls: certificate?.tls, logger: logger)
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do { try await body() } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Calls the service once, over a connection of its own.
    ///
    /// - Returns: Why it does not respond; `nil` if it does.
    func problem(
        _ url: String = "https://127.0.0.1", trusting other: InternalAuthorities? = nil
    ) async throws -> String? {
        let client = makeHTTPClient(connectSeconds: 60)
        let problem = await problem(url, over: client, trusting: other)
        try await client.shutdown()
        return problem
    }

    /// Calls the service over the connections of `client`; waits until it listens.
    func problem(_ url: String, over client: HTTPClient, trusting other: InternalAuthorities? = nil) async -> String? {
        let transport = HTTPServiceTransport(
            service: "token", baseURLs: ["\(url):\(port)"], caller: .user, keys: keys, client: client,
            names: .system(within: .seconds(60)), authorities: other ?? authorities)
        let deadline = ContinuousClock.now + Patience.limit
        while true {
            do throws(ServiceUnavailable) {
                _ = try await ServiceClient(service: "token", transport: transport).call(Self.operation, requestID: nil)
                return nil
            } catch {
                guard error.reason == "connection_refused", ContinuousClock.now < deadline else { return error.reason }
            }
            await Task.yield()
        }
    }
}
