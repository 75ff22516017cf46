import Glibc
import TestSupport

/// A stack's gateway before nginx, over TLS or not, with tokens that it accepts.
struct GatewayUnderLoad: Sendable {
    /// The core of nginx and of what loads the gateway.
    static let loadCore = 1

    let stack: LatchkeyStack
    let upstream: NginxUpstream
    let tokens: TokenSource
    let folder: String
    /// The one under load: that of TLS if there is a certificate.
    let port: Int
    let certificate: EdgeCertificate?
    let process: pid_t

    /// Runs `body` with a fresh stack, and ends it on every path.
    ///
    /// - Parameters:
    ///   - build: whose processes.
    ///   - core: the one core of the stack; nil for every one there is.
    ///   - isOverTLS: whether the gateway has a port for TLS, which is the one under load.
    ///   - settings: of `deploy/run`, made in a folder that is there as long as the stack.
    static func run<Value: Sendable>(
        _ name: String, build: Build = .own, core: Int? = nil, isOverTLS: Bool = false,
        settings: (String) throws -> [String: String] = { _ in [:] },
        _ body: (GatewayUnderLoad) async throws -> Value
    ) async throws -> Value {
        try await ScratchFolder.run(name) { folder in
            let upstream = NginxUpstream(port: try await FreePort.find(), folder: folder)
            let certificate = isOverTLS ? try await EdgeCertificate.make(in: folder) : nil
            let tlsPort = isOverTLS ? try await FreePort.find() : nil
            var environment = [
                "LATCHKEY_POLICIES_DIR": build.policies, "LATCHKEY_UPSTREAM": "http://127.0.0.1:\(upstream.port)",
            ].merging(try settings(folder)) { $1 }
            environment["LATCHKEY_TLS_PORT"] = tlsPort.map { "\($0)" }
            environment["LATCHKEY_TLS_DIR"] = certificate?.folder
            return try await upstream.process(core: loadCore).run { _ in
                try await LatchkeyStack.run(
                    name: name, environment: environment, core: core, binaries: build.binaries
                ) { stack in
                    try await body(
                        GatewayUnderLoad(
                            stack: stack, upstream: upstream, tokens: try await TokenSource(for: stack), folder: folder,
                            port: try tlsPort ?? stack.gatewayPort, certificate: certificate,
                            process: try stack.runningProcess("gateway")))
                }
            }
        }
    }

    /// The gateway in the form in which it is compared with others.
    var edge: EdgeUnderTest {
        EdgeUnderTest(name: EdgeRounds.gateway, port: port, tls: certificate?.client, process: process)
    }

    /// Runs a shell command that must succeed.
    func shell(_ command: String) async throws -> String {
        let outcome = try await Shell.run(command, in: folder)
        guard outcome.isSuccess else { throw UnexpectedReply(description: "\(command): \(outcome.output.suffix(300))") }
        return outcome.output
    }

    /// - Throws: `UnexpectedReply` if the gateway is another process than at first.
    func checkAlive() throws {
        guard stack.processID(of: "gateway") == process else {
            throw UnexpectedReply(description: "the gateway has ended meanwhile")
        }
    }
}
