import AccessTokens
import AuthAPI
import FoundationEssentials
import Glibc
import InternalAPI
import Policies
import StrictJSON
import TestSupport

/// The cost of a login with a password besides its hash, and the effect on others while hundreds log in at once.
package struct PasswordBench: Sendable {
    private static let charged = ["gateway", "token", "user", "redis"]
    /// The process that hashes.
    fileprivate static let hashing = "user"
    /// So many that none has more than ten logins at once, beyond which one is told to wait.
    private static let accountCount = 64
    private static let password = "9 benches in a park"
    /// CPU µs of a login over all processes, without its hash and the signature of its access token.
    package static let boundMicroseconds = 2_000.0
    /// How long the stack is watched without a login: it tells how much of a login's cost is there without it.
    private static let idle: Duration = .seconds(5)
    private static let signatureRounds = 5
    private static let limit: Duration = .seconds(600)
    private static let floodSize = 500
    private static let quiet = PacedLoad(perSecond: 200, seconds: 5)
    private static let quietConnections = 8
    /// MB of user-service ten seconds after a flood.
    private static let restingBound = 40.0
    private static let rest: Duration = .seconds(10)
    /// MB of all hashes at once: as many threads as cores, four at most, at the default cost.
    private static let hashingMegabytes =
        Double(min(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4) * PasswordCost.standard.memoryKiB) / 1_024

    package let loginCount: Int
    package let connectionCount: Int

    package init(loginCount: Int, connectionCount: Int) {
        self.loginCount = loginCount
        self.connectionCount = connectionCount
    }

    package func run() async throws -> [Figure] {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let policy = folder + "passwords-\(UUID().uuidString).yaml"
        let text = try PolicyText.howru(changing: ["accounts:": "passwords:\n  lengthMin: 8\n\naccounts:"])
        guard FileManager.default.createFile(atPath: policy, contents: Data(text.utf8)) else {
            throw UnexpectedReply(description: "\(policy) cannot be written")
        }
        defer {
            // A policy file that remains does no harm.
            do { try FileManager.default.removeItem(atPath: policy) } catch {}
        }
        return try await StackUnderLoad.run(name: "bench-passwords", environment: ["LATCHKEY_POLICY": policy]) {
            try await run(on: $0)
        }
    }

    private func run(on stack: StackUnderLoad) async throws -> [Figure] {
        let memory = try PeakMemory(of: try stack.process(Self.hashing))
        for index in 0..<Self.accountCount { try await makeAccount(index, on: stack) }
        let idle = try await idleLoad(of: stack)
        var signatures = try SignatureCost(.RS256).signing(rounds: Self.signatureRounds)
        let before = try Reading(stack)
        let logins = try await logIn(loginCount, connections: connectionCount, on: stack)
        let after = try Reading(stack)
        signatures += try SignatureCost(.RS256).signing(rounds: Self.signatureRounds)
        return try costs(before, after, signatures, logins, idle: idle) + (try await besideFlood(stack, memory))
    }

    /// Seconds of CPU that the charged processes use in a second without a login: feeds, watches, sweeps.
    private func idleLoad(of stack: StackUnderLoad) async throws -> Double {
        let before = try Reading(stack)
        try await Task.sleep(for: Self.idle)
        let used = try Reading(stack).stack.used(since: before.stack)
        return Self.charged.reduce(0) { $0 + (used[$1] ?? 0) } / (Self.idle / .seconds(1))
    }

    private static func address(_ index: Int) -> String { "user\(index % accountCount)@example.com" }

    private func makeAccount(_ index: Int, on stack: StackUnderLoad) async throws {
        let answer = try await ServiceCaller(stack: stack.stack, caller: .control).post(
            "user", AccountOperations.createAdmin.path,
            CreateAdminRequest(email: Self.address(index), password: Self.password))
        guard answer.status == 200 else {
            throw UnexpectedReply(description: "an account was not made: \(answer.status)")
        }
    }

    // MARK: - The cost of one

    private func logIn(
        _ count: Int, connections: Int, on stack: StackUnderLoad
    ) async throws -> LoadRun<Double> {
        let opened = try await LoadConnection.open(connections, port: stack.gatewayPort)
        let run = try await LoadRun.over(opened, 0..<count, within: Self.limit) { index, connection in
            let start = ContinuousClock.now
            _ = try await Self.logIn(index, over: connection)
            return (ContinuousClock.now - start) / .milliseconds(1)
        }
        for connection in opened { await connection.close() }
        return run
    }

    private static func logIn(_ index: Int, over connection: LoadConnection) async throws -> SignInReply {
        let answer = try await connection.send(try request(index))
        guard answer.status == 200 else { throw UnexpectedReply(description: "a login: \(answer.status)") }
        return try StrictJSON.decode(SignInReply.self, from: answer.body, limits: .own)
    }

    private static func request(_ index: Int) throws -> LoadRequest {
        LoadRequest(
            "POST", "/auth/login", headers: [("Content-Type", "application/json")],
            body: try StrictJSON.encode(["email": address(index), "password": password]))
    }

    private func costs(
        _ before: Reading, _ after: Reading, _ signatures: [Double], _ logins: LoadRun<Double>, idle: Double
    ) throws -> [Figure] {
        let used = try after.stack.used(since: before.stack)
        let each = { (seconds: Double) in seconds * 1_000_000 / Double(loginCount) }
        let hashing = each(after.hashSeconds - before.hashSeconds)
        let signature = Spread(signatures)
        let idle = each(idle * logins.wallSeconds)
        let total = Self.charged.reduce(0) { $0 + each(used[$1] ?? 0) }
        let sorted = logins.values.sorted()
        return [Figure("passwords.rate", Double(loginCount) / logins.wallSeconds, .perSecond)]
            + [50, 99].compactMap { percent in
                Percentile.of(sorted, percent: percent).map {
                    Figure("passwords.login.p\(percent)", $0, .milliseconds)
                }
            }
            + Self.charged.map { Figure("passwords.cpu.\($0)", each(used[$0] ?? 0), .microseconds) }
            + (signature.map { [Figure("passwords.signature.RS256", $0, .microseconds)] } ?? [])
            + [
                Figure("passwords.cpu.hash", hashing, .microseconds),
                Figure("passwords.cpu.idle", idle, .microseconds),
                Figure(
                    "passwords.cpu.without-hash", total - hashing, .microseconds,
                    bound: .atMost(Self.boundMicroseconds + (signature?.median ?? 0))),
            ]
    }

    // MARK: - Others beside many

    /// Calls of the app's API in a quiet time, then while hundreds log in at once, and what user-service holds.
    ///
    /// - Parameter memory: watched since before the first hash.
    private func besideFlood(_ stack: StackUnderLoad, _ memory: PeakMemory) async throws -> [Figure] {
        let connection = try await LoadConnection.open(port: stack.gatewayPort)
        let token = try await Self.logIn(0, over: connection).tokens.accessToken
        await connection.close()
        let idle = try await stack.callAPI(token, Self.quiet, connections: Self.quietConnections)
        let flood = try await LoadConnection.open(Self.floodSize, port: stack.gatewayPort)
        async let answers = Self.flood(flood)
        let busy = try await stack.callAPI(token, Self.quiet, connections: Self.quietConnections)
        let statuses = try await answers
        for connection in flood { await connection.close() }
        let bound = max(10, 3 * idle)
        return try await held(by: stack, memory) + [
            Figure("passwords.api.p99.quiet", idle, .milliseconds),
            Figure("passwords.api.p99.flood", busy, .milliseconds, bound: .atMost(bound)),
            Figure("passwords.flood.admitted", Double(statuses.count { $0 == 200 }), .count),
            Figure("passwords.flood.refused", Double(statuses.count { $0 == 503 }), .count),
        ]
    }

    /// Returns the peak memory of user-service, and the memory after a pause.
    private func held(by stack: StackUnderLoad, _ memory: PeakMemory) async throws -> [Figure] {
        let peak = try memory.before + memory.extra
        try await Task.sleep(for: Self.rest)
        let resting = try ProcessMemory(of: try stack.process(Self.hashing)).resident
        return [
            Figure("passwords.memory.before", memory.before, .megabytes),
            Figure(
                "passwords.memory.flood", peak, .megabytes,
                bound: .atMost((memory.before + Self.hashingMegabytes) * 1.2)),
            Figure("passwords.memory.rested", resting, .megabytes, bound: .atMost(Self.restingBound)),
        ]
    }

    /// One login over each connection, all at once, again and again while there is time; every one is right or told to
    /// come later.
    private static func flood(_ connections: [LoadConnection]) async throws -> [Int] {
        let end = ContinuousClock.now + .seconds(quiet.seconds)
        return try await withThrowingTaskGroup(of: [Int].self) { group in
            for (index, connection) in connections.enumerated() {
                group.addTask {
                    var statuses: [Int] = []
                    repeat {
                        let status = try await connection.send(try request(index)).status
                        guard [200, 503].contains(status) else {
                            throw UnexpectedReply(description: "a login among many: \(status)")
                        }
                        statuses.append(status)
                        if status == 503 { try await Task.sleep(for: .seconds(1)) }
                    } while ContinuousClock.now < end
                    return statuses
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

/// The clocks of a stack at one moment.
private struct Reading {
    let stack: CPULedger
    let hashSeconds: Double

    init(_ stack: StackUnderLoad) throws {
        self.stack = try CPULedger(stack.stack)
        hashSeconds = try HashThreadTimes(of: try stack.process(PasswordBench.hashing)).seconds
    }
}
