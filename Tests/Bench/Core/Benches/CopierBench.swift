import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import Glibc
import SQLiteStore
import TestSupport

/// Refreshes at a rate while `latchkeyctl copy` copies the databases to a folder, next to the same without it, and how old the
/// copy becomes meanwhile.
struct CopierBench: Sendable {
    private static let charged = ["gateway", "token", "user", "redis"]
    private static let connectionCount = 32
    private static let firstCopyLimit: Duration = .seconds(120)
    /// The bounds of backup.md: how much longer a refresh may take, and the seconds that may be lost with the host.
    private static let bounds = ["p99": 1.1]
    private static let ageBound = 10.0

    /// The number of users, each with one session.
    let userCount: Int
    let perSecond: Double
    /// The seconds of one round.
    let seconds: Double
    let pairCount: Int
    /// The folder of the target; `nil` for one on the disk that is measured, whose syncs then compete with those of commits.
    let targetFolder: String?

    func run() async throws -> [Figure] {
        try await ScratchFolder.run("copier") { folder in
            let policy = try RefreshPolicy(.HS256, in: folder)
            return try await stack("plain", policy) { plain in
                try await stack("copied", policy) { copied in
                    try await whileCopying(copied.load.stack, folder) { copier, target in
                        let ages = GreatestAge(of: copied.load.stack)
                        let pairs = try await Pairs.run(pairCount) { _ in
                            try await ages.whileWatching { try await round(copied, copier) }
                        } theirs: { _ in
                            try await round(plain, nil)
                        }
                        return Rounds.spread(pairs.ours).under("copier.with")
                            + Rounds.spread(pairs.theirs).under("copier.without")
                            + pairs.worse(Self.bounds).filter { ["p50", "p99", "cpu.total"].contains($0.name) }
                            .under("copier.ratio")
                            + [
                                Figure("copier.age", await ages.seconds, .seconds, bound: .atMost(Self.ageBound)),
                                Figure("copier.restore", try await restore(folder, target), .seconds),
                            ]
                    }
                }
            }
        }
    }

    /// Runs `body` with a stack that has the sessions. They are filled in before anything is copied, since that makes checkpoints
    /// without marks.
    private func stack(
        _ name: String, _ policy: RefreshPolicy, _ body: (RefreshingStack) async throws -> [Figure]
    ) async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-copier-\(name)", environment: policy.environment) { load in
            _ = try await load.accessToken(of: 0)
            let sessions = try await SessionDatabase(of: load.stack, policy: try policy.policy).fill(0..<userCount)
            return try await RefreshingStack.with(load, sessions, connections: Self.connectionCount, body)
        }
    }

    /// Runs `body` with the id and the target of a copier that has made its first copy.
    private func whileCopying(
        _ stack: LatchkeyStack, _ folder: String, _ body: (pid_t, String) async throws -> [Figure]
    ) async throws -> [Figure] {
        try (Hex.encode(SecureRandom.bytes(32)) + "\n").write(
            toFile: Self.key(folder), atomically: true, encoding: .utf8)
        let target = (targetFolder ?? folder) + "/latchkey-copies-" + Hex.encode(SecureRandom.bytes(4))
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        defer { do { try FileManager.default.removeItem(atPath: target) } catch { Report.say("\(target) stays") } }
        let copier = ChildProcess(
            executable: LatchkeyStack.binaries + "/latchkeyctl",
            arguments: ["copy", "--data", stack.dataDirectory, "--to", target, "--key-file", Self.key(folder)])
        return try await copier.run { process, _ in
            try await eventually("the first copy", within: Self.firstCopyLimit, every: .milliseconds(100)) {
                FileManager.default.fileExists(atPath: target + "/points")
            }
            return try await body(process, target)
        }
    }

    private func round(_ stack: RefreshingStack, _ copier: pid_t?) async throws -> [Figure] {
        let before = try (Clocks(stack.load.stack), copier.map { try ProcessTimes(of: $0).seconds })
        let milliseconds = try await stack.refresh(perSecond: perSecond, seconds: seconds)
        let used = try copier.map { try ProcessTimes(of: $0).seconds - (before.1 ?? 0) }
        return try Clocks(stack.load.stack).costs(of: milliseconds.count, since: before.0, charged: Self.charged)
            + Figure.percentiles(milliseconds)
            + (used.map { [Figure("cpu.copier", $0 * 1e6 / Double(milliseconds.count), .microseconds)] } ?? [])
    }

    /// Restores the newest copy to another folder; returns the seconds that it takes.
    private func restore(_ folder: String, _ target: String) async throws -> Double {
        let start = ContinuousClock.now
        let outcome = try await Shell.run(
            "'\(LatchkeyStack.binaries)/latchkeyctl' restore --from '\(target)' "
                + "--key-file '\(Self.key(folder))' --data '\(folder)/restored'", in: folder)
        guard outcome.isSuccess else { throw UnexpectedReply(description: "restore: \(outcome.output.suffix(500))") }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private static func key(_ folder: String) -> String { folder + "/copy.key" }
}

/// The greatest age of a copy: what would have been lost with the host.
private actor GreatestAge {
    private let database: String
    private(set) var seconds = 0.0

    init(of stack: LatchkeyStack) { database = stack.dataDirectory + "/tokens.sqlite" }

    /// Notes the age again and again while `body` runs.
    func whileWatching<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    private func watch() async {
        while !Task.isCancelled {
            // Without marks there is no copy: its age is that of the epoch.
            let copiedAt = CopyAge.copiedAt(databasePath: database) ?? 0
            seconds = max(seconds, Date().timeIntervalSince1970 - Double(copiedAt))
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }
}
