import AuthAPI
import FoundationEssentials
import TestSupport

/// A gateway with little memory, before an API that works and one that reads nothing, and ordinary clients of it.
struct AttackedGateway: Sendable {
    /// The gateway's memory setting (`LATCHKEY_MEMORY_MB`).
    static let givenMegabytes = 256
    private static let tokenCount = 100

    let gateway: GatewayUnderLoad
    let series: AttackSeries
    /// A token of a user in user-service.
    let bearer: String

    /// Runs `body` with a fresh stack, and ends it on every path.
    static func run<Value: Sendable>(
        _ name: String, of build: Build = .own, isOverTLS: Bool = false, _ stalled: StalledUpstream,
        _ body: (AttackedGateway) async throws -> Value
    ) async throws -> Value {
        try await GatewayUnderLoad.run(name, build: build, isOverTLS: isOverTLS) { folder in
            try settings(of: build, stalled, in: folder)
        } _: { gateway in
            let edge = AttackedEdge(
                name: build == .own ? nil : "other", port: gateway.port, tls: gateway.certificate?.client,
                upstreamPorts: [gateway.upstream.port, stalled.port], stack: gateway.stack, process: gateway.process)
            let tokens = try await gateway.tokens.tokens(tokenCount, series: "others")
            let bearer = try await gateway.stack.signIn(name: "Betty").tokens.accessToken
            let otherClients = OtherClients(port: gateway.port, tls: edge.tls, tokens: tokens)
            let series = AttackSeries(edge: edge, otherClients: otherClients)
            return try await body(AttackedGateway(gateway: gateway, series: series, bearer: bearer))
        }
    }

    /// The policy with routes that anybody may use, one of them to the upstream that reads nothing.
    private static func settings(
        of build: Build, _ stalled: StalledUpstream, in folder: String
    ) throws -> [String: String] {
        var policy = try String(contentsOfFile: build.policies + "/howru.yaml", encoding: .utf8)
        let routes = """
              - { path: /open/**, upstream: app, access: open }
              - { path: /stalled/**, upstream: stalled, access: open }

            """
        for (line, added) in [
            ("\nroutes:\n", routes), ("\nupstreams:\n", "  stalled: http://127.0.0.1:\(stalled.port)\n"),
        ] {
            guard policy.contains(line) else { throw UnexpectedReply(description: "the policy has no\(line)") }
            policy.replace(line, with: line + added)
        }
        let file = folder + "/open.yaml"
        try policy.write(toFile: file, atomically: true, encoding: .utf8)
        return ["LATCHKEY_POLICY": file, "LATCHKEY_MEMORY_MB": "\(givenMegabytes)"]
    }
}
