import FoundationEssentials
import TestSupport
import Testing

/// Twins of otp, token, user and the gateway that call each other, beside those of a stack.
struct TwinServices: Sendable {
    /// The stack, with the twins' gateway.
    let stack: LatchkeyStack
    let twins: [String: ProcessTwin.Running]

    private static let order = ["otp", "token", "user", "gateway"]

    /// Runs `body` once all are ready.
    ///
    /// - Parameters:
    ///   - settings: Returns the settings of a process, in addition to those of the stack's.
    ///   - url: Returns the setting by which the others find a process, from its URL.
    static func run(
        in stack: LatchkeyStack, settings: (String) -> [String: String], url: (String) -> String = { $0 },
        _ body: (TwinServices) async throws -> Void
    ) async throws {
        try await run(order[...], in: stack, settings, url, [:], body)
    }

    private static func run(
        _ names: ArraySlice<String>, in stack: LatchkeyStack, _ settings: (String) -> [String: String],
        _ url: (String) -> String, _ twins: [String: ProcessTwin.Running], _ body: (TwinServices) async throws -> Void
    ) async throws {
        guard let name = names.first else {
            var stack = stack
            guard let gateway = twins["gateway"] else { return }
            stack.gateway = gateway.service.asApp
            let services = TwinServices(stack: stack, twins: twins)
            for name in order { try await eventually("\(name) is ready") { await services.isReady(name) } }
            return try await body(services)
        }
        let urls = twins.map { ("\($0.key.uppercased())_URL", url($0.value.service.base)) }
        let own = settings(name).merging(urls) { $1 }
        try await ProcessTwin(of: name, in: stack).run(settings: own) { twin in
            try await run(names.dropFirst(), in: stack, settings, url, twins.merging([name: twin]) { $1 }, body)
        }
    }

    func isReady(_ name: String) async -> Bool {
        do { return try await twins[name]?.operations.get("/readyz").status == 200 } catch { return false }
    }

    /// The text of `/readyz` of a process.
    func readiness(_ name: String) async throws -> String {
        try await twins[name]?.operations.get("/readyz").text ?? ""
    }

    /// The status of a call to the app's API.
    func call(_ token: String) async -> Int? {
        do { return try await stack.gateway.get("/api/hello", bearer: token).status } catch { return nil }
    }

    /// The lines of an ACL file with the accounts of the stack's Redis.
    static func accounts(of stack: LatchkeyStack) throws -> [String] {
        try String(contentsOfFile: stack.dataDirectory + "/redis/users.acl", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Loads the functions as an operator does.
    static func loadFunctions(into url: String, of stack: LatchkeyStack) async throws {
        let loaded = try await Shell.run(
            "./latchkeyctl redis load", in: LatchkeyStack.binaries,
            environment: [
                "REDIS_URL": url, "REDIS_USER": "functions", "LATCHKEY_SECRETS_DIR": stack.dataDirectory + "/secrets",
            ])
        try #require(loaded.isSuccess, "\(loaded.output)")
    }
}
