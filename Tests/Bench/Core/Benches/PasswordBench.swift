import AccessTokens
import AuthAPI
import InternalAPI
import TestSupport

/// The cost of a login with a password besides its hash, and the effect on others while hundreds log in at once.
struct PasswordBench: Sendable {
    private static let charged = ["gateway", "token", "user", "redis"]
    /// So many that none has more than ten logins at once, beyond which one is told to wait.
    private static let accountCount = 64
    private static let password = "9 benches in a park"
    /// CPU µs of a login over all processes, without its hash and the signature of its access token.
    private static let boundMicroseconds = 2_000.0
    /// How long the stack is watched without a login: it tells how much of a login's cost is there without it.
    private static let idleSeconds = 5
    private static let limit: Duration = .seconds(600)
    private static let floodSize = 500
    private static let floodSeconds = 5.0

    let loginCount: Int
    var connectionCount = 4

    func run() async throws -> [Figure] {
        try await ScratchFolder.run("passwords") { folder in
            let policy = try BenchPolicy.write(in: folder) {
                try $0.change("accounts:", to: "passwords:\n  lengthMin: 8\n\naccounts:")
            }
            return try await StackUnderLoad.run(name: "bench-passwords", environment: ["LATCHKEY_POLICY": policy]) {
                load in
                for index in 0..<Self.accountCount { try await makeAccount(index, on: load.stack) }
                return (try await costs(load) + (try await besideFlood(load))).under("passwords")
            }
        }
    }

    private func makeAccount(_ index: Int, on stack: LatchkeyStack) async throws {
        let answer = try await ServiceCaller(stack: stack, caller: .control).post(
            "user", AccountOperations.createAdmin.path,
            CreateAdminRequest(email: Self.address(index), password: Self.password))
        guard answer.status == 200 else {
            throw UnexpectedReply(description: "an account was not made: \(answer.status)")
        }
    }

    private static func address(_ index: Int) -> String { "user\(index % accountCount)@example.com" }

    private static func request(_ index: Int) throws -> LoadRequest {
        try .post("/auth/login", ["email": address(index), "password": password])
    }

    /// The cost of one login, its hash and a stack without logins taken off.
    private func costs(_ load: StackUnderLoad) async throws -> [Figure] {
        let user = try load.process("user")
        let beforeIdle = try Clocks(load.stack)
        try await Task.sleep(for: .seconds(Self.idleSeconds))
        let idle = try Clocks(load.stack).costs(of: Self.idleSeconds, since: beforeIdle, charged: Self.charged)
        let (before, hashBefore) = (try Clocks(load.stack), try ProcessTimes.secondsOfHashing(in: user))
        let logins = try await LoadConnection.with(connectionCount, port: load.gatewayPort) { opened in
            try await LoadRun.over(opened, 0..<loginCount, within: Self.limit) { index, connection in
                let start = ContinuousClock.now
                _ = try await Self.logIn(index, over: connection)
                return (ContinuousClock.now - start) / .milliseconds(1)
            }
        }
        let costs = try Clocks(load.stack).costs(of: loginCount, since: before, charged: Self.charged)
        let hashSeconds = try ProcessTimes.secondsOfHashing(in: user) - hashBefore
        let hash = Figure("cpu.hash", hashSeconds * 1_000_000 / Double(loginCount), .microseconds)
        let signature = Figure("signature.RS256", rounds: try SignatureCost.signing(.RS256), .microseconds)
        return costs + Figure.percentiles(logins.values).under("login") + [
            signature, hash,
            Figure("cpu.idle", idle.value("cpu.total") * logins.wallSeconds / Double(loginCount), .microseconds),
            Figure(
                "cpu.without-hash", costs.value("cpu.total") - hash.value, .microseconds,
                bound: .atMost(Self.boundMicroseconds + signature.value)),
        ]
    }

    private static func logIn(_ index: Int, over connection: LoadConnection) async throws -> SignInReply {
        try await connection.send(try request(index)).decoded(SignInReply.self, of: "a login")
    }

    /// Calls of the app's API in a quiet time, then while hundreds log in at once.
    private func besideFlood(_ load: StackUnderLoad) async throws -> [Figure] {
        let token = try await LoadConnection.with(1, port: load.gatewayPort) {
            try await Self.logIn(0, over: $0[0]).tokens.accessToken
        }
        func callAPI() async throws -> Double {
            try await load.callAPI(token, perSecond: 200, seconds: Self.floodSeconds, connections: 8)
        }
        let quiet = try await callAPI()
        return try await LoadConnection.with(Self.floodSize, port: load.gatewayPort) { flood in
            async let answers = Self.flood(flood)
            let busy = try await callAPI()
            let statuses = try await answers
            return Figure.others("api.p99", quiet: quiet, beside: busy, leastMilliseconds: 10) + [
                Figure("flood.admitted", Double(statuses.count { $0 == 200 }), .count),
                Figure("flood.refused", Double(statuses.count { $0 == 503 }), .count),
            ]
        }
    }

    /// One login over each connection, all at once, again and again while there is time; every one is right or told to
    /// come later.
    private static func flood(_ connections: [LoadConnection]) async throws -> [Int] {
        let end = ContinuousClock.now + .seconds(floodSeconds)
        let isOver: @Sendable () -> Bool = { ContinuousClock.now >= end }
        return try await LoadRun.over(connections, 0..<Int.max, within: limit, until: isOver) {
            let status = try await $1.send(try request($0)).status
            guard [200, 503].contains(status) else {
                throw UnexpectedReply(description: "a login among many: \(status)")
            }
            if status == 503 { try await Task.sleep(for: .seconds(1)) }
            return status
        }.values
    }
}
