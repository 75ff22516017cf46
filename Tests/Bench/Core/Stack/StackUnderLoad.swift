import CryptoPrimitives
import FoundationEssentials
package import TestSupport

/// A fresh stack on free ports with a data directory of its own, whose messages come to us. Apple's keys are a stand-in's.
package struct StackUnderLoad: Sendable {
    package let stack: LatchkeyStack
    package let hooks: HookReceiver
    package let gatewayPort: Int
    /// From the start of the supervisor until everything was ready, Redis and a new signing key included.
    package let startSeconds: Double

    /// Runs `body` with a stack that is ready, and ends it on every path.
    ///
    /// - Parameters:
    ///   - name: of the folder in which its logs are kept.
    ///   - build: whose processes.
    ///   - environment: settings of `deploy/run`.
    ///   - database: where its services keep their data, unless in files of SQLite.
    package static func run<Value: Sendable>(
        name: String = "bench", build: Build = .own, environment: [String: String] = [:],
        database: StackDatabase? = nil, _ body: (StackUnderLoad) async throws -> Value
    ) async throws -> Value {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        let server = try await LoopbackServer.start { request in
            request.path == AppleStandIn.keysPath ? AppleStandIn.answerKeys() : hooks.answer(request)
        }
        let secretFile = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "hook-\(server.port)"
        let isWritten = FileManager.default.createFile(
            atPath: secretFile, contents: Data(hooks.secret.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw UnexpectedReply(description: "\(secretFile) cannot be written") }
        let settings = [
            "OTP_SENDER": "webhook", "SMS_HOOK_URL": HookReceiver.url(port: server.port),
            "SMS_HOOK_SECRET_FILE": secretFile, "LATCHKEY_POLICIES_DIR": build.policies,
            "APPLE_URL": "http://127.0.0.1:\(server.port)",
        ].merging(HookReceiver.mailSettings(port: server.port)) { $1 }
            .merging(HookReceiver.twilioSettings(port: server.port)) { $1 }
        do {
            let value = try await run(name, build, settings.merging(environment) { $1 }, database, hooks, body)
            try await clean(secretFile, server)
            return value
        } catch {
            try await clean(secretFile, server)
            throw error
        }
    }

    private static func run<Value: Sendable>(
        _ name: String, _ build: Build, _ environment: [String: String], _ database: StackDatabase?,
        _ hooks: HookReceiver,
        _ body: (StackUnderLoad) async throws -> Value
    ) async throws -> Value {
        let start = ContinuousClock.now
        return try await LatchkeyStack.run(
            name: name, environment: environment,
            secrets: ["resend_api_key": "re_bench", "twilio_auth_token": HookReceiver.twilioToken],
            database: database, binaries: build.binaries
        ) { stack in
            guard let port = stack.gateway.base.split(separator: ":").last.flatMap({ Int($0) }) else {
                throw UnexpectedReply(description: "the gateway's address has no port")
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            return try await body(
                StackUnderLoad(stack: stack, hooks: hooks, gatewayPort: port, startSeconds: seconds))
        }
    }

    private static func clean(_ secretFile: String, _ server: LoopbackServer) async throws {
        await server.stop()
        try FileManager.default.removeItem(atPath: secretFile)
    }

    /// Signs in the numbers or addresses of `indices`, each once.
    package func signIn(
        _ indices: Range<Int>, by way: SignInWay = .phone, connections: Int, within limit: Duration
    ) async throws -> LoadRun<SignInClient.Latencies> {
        let client = SignInClient(hooks: hooks, by: way)
        let opened = try await LoadConnection.open(connections, port: gatewayPort)
        let run = try await LoadRun.over(opened, indices, within: limit) { index, connection in
            try await client.signIn(way.recipient(index), over: connection)
        }
        for connection in opened { await connection.close() }
        return run
    }
}
