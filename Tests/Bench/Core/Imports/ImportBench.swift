import FoundationEssentials
import Glibc
import TestSupport

/// How people sign in while another system's users are moved in by `latchkeyctl users import`, which is killed half-way and run
/// again, and whether everybody is there once.
package struct ImportBench: Sendable {
    /// Milliseconds that others may always wait, and how many times as long as in a quiet time.
    private static let boundMilliseconds = 20.0
    private static let boundRatio = 3.0
    /// A hash for the imported users. An import does not hash, so any PBKDF2, bcrypt or similar hash will do.
    private static let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
    private static let killLimit = Duration.seconds(600)
    /// Users of one call of an import.
    private static let callUsers = 25

    package let userCount: Int
    package let signInsPerSecond: Double
    package let connectionCount: Int
    package let quietSeconds: Double

    package init(userCount: Int, signInsPerSecond: Double, connectionCount: Int, quietSeconds: Double) {
        self.userCount = userCount
        self.signInsPerSecond = signInsPerSecond
        self.connectionCount = connectionCount
        self.quietSeconds = quietSeconds
    }

    package func run() async throws -> [Figure] {
        try await ScratchFolder.run("imports") { folder in
            let (users, maps) = (folder + "/users.jsonl", [folder + "/once.tsv", folder + "/again.tsv"])
            try writeUsers(to: users)
            var figures: [Figure] = []
            try await StackUnderLoad.run(name: "bench-imports") { stack in
                figures = try await run(on: stack, users, maps)
            }
            return figures
        }
    }

    private func run(on stack: StackUnderLoad, _ users: String, _ maps: [String]) async throws -> [Figure] {
        let others = OtherSignIns(stack: stack, perSecond: signInsPerSecond, connectionCount: connectionCount)
        let quiet = try await others.milliseconds { [quietSeconds] in
            try await Task.sleep(for: .seconds(quietSeconds))
        }.value
        let busy = try await others.milliseconds { try await moveIn(stack.stack, users, maps) }
        let idle = try Self.p99(quiet)
        let there = try DatabaseCheck(of: stack.stack).movedIn()
        let isSame = try Self.lines(maps[0]) == Self.lines(maps[1])
        return [
            Figure("imports.rate", Double(userCount) / busy.result, .perSecond),
            Figure("imports.others.count", Double(busy.value.count), .count),
            Figure("imports.others.p99.quiet", idle, .milliseconds),
            Figure(
                "imports.others.p99", try Self.p99(busy.value), .milliseconds,
                bound: .atMost(max(Self.boundMilliseconds, Self.boundRatio * idle))),
            // Each of these is a count of what is wrong.
            Figure("imports.missing", Double(abs(userCount - there)), .count, bound: .atMost(0)),
            Figure("imports.maps.differ", isSame ? 0 : 1, .count, bound: .atMost(0)),
        ]
    }

    /// Kills an import half-way, runs it again to its end, and once more.
    ///
    /// - Returns: seconds of the second run, for the users that the first has left.
    private func moveIn(_ stack: LatchkeyStack, _ users: String, _ maps: [String]) async throws -> Double {
        try await killHalfWay(stack, users, maps[0])
        let there = try DatabaseCheck(of: stack).movedIn()
        let start = ContinuousClock.now
        // The call that was under way at the kill may still be stored.
        let atMost = min(there + Self.callUsers, userCount)
        try await control(stack, users, maps[0], says: [summary(known: there), summary(known: atMost)])
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await control(stack, users, maps[1], says: [summary(known: userCount)])
        return seconds * Double(userCount) / Double(max(userCount - there, 1))
    }

    private func summary(known: Int) -> String { "added \(userCount - known), known before \(known), refused 0" }

    private func killHalfWay(_ stack: LatchkeyStack, _ users: String, _ map: String) async throws {
        let file = map + ".pid"
        async let killed = stack.control("users import '\(users)' --map '\(map)' & echo $! > '\(file)'; wait $!")
        try await eventually("half of them are there", within: Self.killLimit, every: .milliseconds(50)) {
            try DatabaseCheck(of: stack).movedIn() >= userCount / 2
        }
        guard let text = FileManager.default.contents(atPath: file),
            let process = pid_t(String(decoding: text, as: UTF8.self).filter(\.isNumber)), kill(process, SIGKILL) == 0
        else { throw UnexpectedReply(description: "the import is not there to be killed") }
        guard try await !killed.isSuccess else { throw UnexpectedReply(description: "the import outlived its kill") }
    }

    private func control(_ stack: LatchkeyStack, _ users: String, _ map: String, says texts: [String]) async throws {
        let outcome = try await stack.control("users import '\(users)' --map '\(map)'")
        guard outcome.isSuccess, texts.contains(where: outcome.output.contains) else {
            throw UnexpectedReply(description: "an import said: \(outcome.output.suffix(500))")
        }
    }

    private func writeUsers(to path: String) throws {
        var text = ""
        for index in 0..<userCount {
            text += #"{"legacyID":"old-\#(index)","email":"moved\#(index)@example.com","emailVerified":true,"#
            text += #""name":"Betty","createdAt":\#(1_600_000_000 + index),"passwordHash":"\#(Self.hash)"}"# + "\n"
        }
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw UnexpectedReply(description: "\(path) cannot be written")
        }
    }

    private static func p99(_ milliseconds: [Double]) throws -> Double {
        guard let p99 = Percentile.of(milliseconds.sorted(), percent: 99) else {
            throw UnexpectedReply(description: "nobody signed in")
        }
        return p99
    }

    private static func lines(_ path: String) throws -> Set<Substring> {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw UnexpectedReply(description: "\(path) is missing")
        }
        return Set(String(decoding: contents, as: UTF8.self).split(separator: "\n"))
    }
}
