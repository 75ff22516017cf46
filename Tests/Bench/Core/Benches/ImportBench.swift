import FoundationEssentials
import Glibc
import TestSupport

/// How people sign in while another system's users are imported by `latchkeyctl users import`, which is killed half-way and
/// run again, and whether everybody is there once.
struct ImportBench: Sendable {
    /// A hash for the imported users. An import does not hash, so any PBKDF2, bcrypt or similar hash will do.
    private static let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
    private static let killLimit = Duration.seconds(600)
    /// Users of one call of an import.
    private static let callUsers = 25

    let userCount: Int
    var signInsPerSecond = 50.0
    var connectionCount = 8
    var quietSeconds = 20.0

    func run() async throws -> [Figure] {
        try await ScratchFolder.run("imports") { folder in
            let users = folder + "/users.jsonl"
            let lines = (0..<userCount).map { index in
                #"{"legacyID":"old-\#(index)","email":"moved\#(index)@example.com","emailVerified":true,"#
                    + #""name":"Betty","createdAt":\#(1_600_000_000 + index),"passwordHash":"\#(Self.hash)"}"# + "\n"
            }
            try lines.joined().write(toFile: users, atomically: true, encoding: .utf8)
            return try await StackUnderLoad.run(name: "bench-imports") { try await run(on: $0, users, folder) }
        }
    }

    private func run(on load: StackUnderLoad, _ users: String, _ folder: String) async throws -> [Figure] {
        let maps = [folder + "/once.tsv", folder + "/again.tsv"]
        let (quiet, _) = try await others(load, from: 0) { [quietSeconds] in
            try await Task.sleep(for: .seconds(quietSeconds))
        }
        let (busy, seconds) = try await others(load, from: quiet.count) { try await moveIn(load.stack, users, maps) }
        let there = try DatabaseCheck(of: load.stack).movedIn()
        let isSame = try Self.lines(maps[0]) == Self.lines(maps[1])
        return [
            Figure("imports.rate", Double(userCount) / seconds, .perSecond),
            Figure("imports.others.count", Double(busy.count), .count),
        ]
            + Figure.others("imports.others.p99", quiet: Self.p99(quiet), beside: Self.p99(busy))
            // Each of these is a count of what is wrong.
            + [
                Figure("imports.missing", Double(abs(userCount - there)), .count, bound: .atMost(0)),
                Figure("imports.maps.differ", isSame ? 0 : 1, .count, bound: .atMost(0)),
            ]
    }

    /// The milliseconds of each request of new people who sign in by phone while `act` goes on; a failed one ends it.
    ///
    /// - Parameter first: the number of the first of them.
    private func others<Result: Sendable>(
        _ load: StackUnderLoad, from first: Int, during act: @escaping @Sendable () async throws -> Result
    ) async throws -> (milliseconds: [Double], result: Result) {
        let client = SignInClient(hooks: load.hooks)
        return try await LoadConnection.with(connectionCount, port: load.gatewayPort) { opened in
            let (pairs, result, _) = try await during(act) { isOver in
                try await PacedLoad(perSecond: signInsPerSecond).run(over: opened, from: first, until: isOver) {
                    index, connection, _ in
                    let latencies = try await client.signIn(SignInNumbers.number(index), over: connection)
                    return [latencies.requestMilliseconds, latencies.verifyMilliseconds].compactMap(\.self)
                }
            }
            return (pairs.flatMap(\.self), result)
        }
    }

    private static func p99(_ milliseconds: [Double]) -> Double { Percentile.of(milliseconds.sorted(), percent: 99) }

    /// Kills an import half-way, runs it again to its end, and once more.
    ///
    /// - Returns: seconds that the second run needs for all users, by the ones that the first has left.
    private func moveIn(_ stack: LatchkeyStack, _ users: String, _ maps: [String]) async throws -> Double {
        try await killHalfWay(stack, users, maps[0])
        let there = try DatabaseCheck(of: stack).movedIn()
        let start = ContinuousClock.now
        // The call that was under way at the kill may still be stored.
        try await control(stack, users, maps[0], known: [there, min(there + Self.callUsers, userCount)])
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await control(stack, users, maps[1], known: [userCount])
        return seconds * Double(userCount) / Double(max(userCount - there, 1))
    }

    private func killHalfWay(_ stack: LatchkeyStack, _ users: String, _ map: String) async throws {
        let file = map + ".pid"
        async let killed = stack.control("users import '\(users)' --map '\(map)' & echo $! > '\(file)'; wait $!")
        try await eventually("half of them are there", within: Self.killLimit, every: .milliseconds(50)) {
            try DatabaseCheck(of: stack).movedIn() >= userCount / 2
        }
        guard let process = pid_t(Machine.text(file).filter(\.isNumber)), kill(process, SIGKILL) == 0 else {
            throw UnexpectedReply(description: "the import is not there to be killed")
        }
        guard try await !killed.isSuccess else { throw UnexpectedReply(description: "the import outlived its kill") }
    }

    /// - Parameter known: how many may have been there before.
    private func control(_ stack: LatchkeyStack, _ users: String, _ map: String, known: [Int]) async throws {
        let outcome = try await stack.control("users import '\(users)' --map '\(map)'")
        let texts = known.map { "added \(userCount - $0), known before \($0), refused 0" }
        guard outcome.isSuccess, texts.contains(where: outcome.output.contains) else {
            throw UnexpectedReply(description: "an import said: \(outcome.output.suffix(500))")
        }
    }

    private static func lines(_ path: String) throws -> Set<Substring> {
        Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n"))
    }
}
