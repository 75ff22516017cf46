import AuthAPI
import CryptoPrimitives
import Glibc
import TestSupport

/// A fresh stack on free ports with a data directory of its own, whose messages come to us. Apple's keys are a stand-in's.
struct StackUnderLoad: Sendable {
    let stack: LatchkeyStack
    let hooks: HookReceiver
    let gatewayPort: Int
    /// From the start of the supervisor until everything was ready, Redis and a new signing key included.
    let startSeconds: Double

    /// Runs `body` with a stack that is ready, and ends it on every path.
    ///
    /// - Parameters:
    ///   - name: of the folder in which its logs are kept.
    ///   - build: whose processes.
    ///   - environment: settings of `deploy/run`.
    ///   - secrets: secrets besides those of the messages.
    ///   - database: where its services keep their data, unless in files of SQLite.
    static func run<Value: Sendable>(
        name: String = "bench", build: Build = .own, environment: [String: String] = [:],
        secrets: [String: String] = [:], database: StackDatabase? = nil, _ body: (StackUnderLoad) async throws -> Value
    ) async throws -> Value {
        let hooks = try HookReceiver(random: SecureRandom.bytes(32))
        return try await LoopbackServer.run(answer: hooks.answer) { server in
            let settings = HookReceiver.settings(port: server.port).merging(["LATCHKEY_POLICIES_DIR": build.policies]) {
                $1
            }
            let start = ContinuousClock.now
            return try await LatchkeyStack.run(
                name: name, environment: settings.merging(environment) { $1 },
                secrets: hooks.secrets.merging(secrets) { $1 },
                database: database, binaries: build.binaries
            ) { stack in
                try await body(
                    StackUnderLoad(
                        stack: stack, hooks: hooks, gatewayPort: try stack.gatewayPort,
                        startSeconds: (ContinuousClock.now - start) / .seconds(1)))
            }
        }
    }

    /// The process id of a process by its short name.
    func process(_ name: String) throws -> pid_t { try stack.runningProcess(name) }

    /// Signs in the numbers or addresses of `indices`, each once.
    ///
    /// - Parameter isNew: whether their users have no account yet.
    func signIn(
        _ indices: Range<Int>, by way: SignInWay = .phone, isNew: Bool = true, connections: Int,
        within limit: Duration = .seconds(900)
    ) async throws -> LoadRun<SignInClient.Latencies> {
        let client = SignInClient(hooks: hooks, by: way, isNew: isNew)
        return try await LoadConnection.with(connections, port: gatewayPort) { opened in
            try await LoadRun.over(opened, indices, within: limit) { index, connection in
                try await client.signIn(way.recipient(index), over: connection)
            }
        }
    }

    /// The access token of a new user with the number of this index.
    func accessToken(of index: Int) async throws -> String {
        try await LoadConnection.with(1, port: gatewayPort) { connections in
            try await SignInClient(hooks: hooks).tokens(SignInNumbers.number(index), over: connections[0]).accessToken
        }
    }

    /// The 99th per cent's milliseconds of calls of the app's API, each of which has to be served.
    func callAPI(_ token: String, perSecond: Double, seconds: Double, connections: Int) async throws -> Double {
        let call = LoadRequest.get("/api/hello", bearer: token)
        let load = PacedLoad(perSecond: perSecond, seconds: seconds)
        return try await LoadConnection.with(connections, port: gatewayPort) { opened in
            let milliseconds = try await load.milliseconds(over: opened) { try await $1.send(call, expecting: 200) }
            return Percentile.of(milliseconds.sorted(), percent: 99)
        }
    }
}

extension LatchkeyStack {
    var gatewayPort: Int { get throws { try port(of: gateway) } }

    /// The port of a client's base URL.
    func port(of client: TestHTTPClient) throws -> Int {
        guard let port = client.base.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw UnexpectedReply(description: "\(client.base) has no port")
        }
        return port
    }

    func runningProcess(_ name: String) throws -> pid_t {
        guard let process = processID(of: name) else { throw UnexpectedReply(description: "\(name) does not run") }
        return process
    }
}
