package import TestSupport

/// How long each process takes until it is ready, and how much memory it holds when it rests.
package struct StartBench: Sendable {
    /// From exec to the first 200 of `/readyz`.
    package static let boundSeconds = 0.5
    package static let boundMegabytes = 40.0
    /// Sign-ins before the rest.
    private static let signInCount = 64
    private static let connectionCount = 4
    private static let signInLimit: Duration = .seconds(60)
    private static let settling: Duration = .seconds(1)
    /// Longer than the processes take to give back what only their start needed.
    private static let rest: Duration = .seconds(10)

    package let rounds: Int

    package init(rounds: Int) { self.rounds = rounds }

    /// - Parameter firstIndex: of the numbers that sign in; they must be new to the stack.
    package func run(on stack: StackUnderLoad, firstIndex: Int = 0) async throws -> [Figure] {
        _ = try await stack.signIn(
            firstIndex..<firstIndex + Self.signInCount, connections: Self.connectionCount, within: Self.signInLimit)
        let idle = try await restingCost(of: stack.stack)
        let memory = try Self.memory(of: stack.stack, "start", bound: .atMost(Self.boundMegabytes))
        return try await starts(of: stack.stack) + [Figure("start.stack", stack.startSeconds, .seconds)] + memory + idle
    }

    /// Measures the milliseconds of CPU that each process uses per second without any requests.
    private func restingCost(of stack: LatchkeyStack) async throws -> [Figure] {
        // What the sign-ins left to do is not rest yet.
        try await Task.sleep(for: Self.settling)
        let before = try CPULedger(stack)
        let start = ContinuousClock.now
        try await Task.sleep(for: Self.rest)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return try CPULedger(stack).used(since: before).sorted { $0.key < $1.key }.map { name, used in
            Figure("start.idle.\(name)", used * 1000 / seconds, .milliseconds)
        }
    }

    private func starts(of stack: LatchkeyStack) async throws -> [Figure] {
        var figures: [Figure] = []
        for name in try stack.processes where name != "redis" {
            let twin = try ProcessTwin(of: name, in: stack)
            var seconds: [Double] = []
            for _ in 0..<rounds { seconds.append(try await twin.secondsToReady()) }
            guard let spread = Spread(seconds) else { continue }
            figures.append(Figure("start.ready.\(name)", spread, .seconds, bound: .atMost(Self.boundSeconds)))
        }
        return figures
    }

    /// Measures the current memory of the processes; Redis, which is not ours, has no bound.
    package static func memory(
        of stack: LatchkeyStack, _ prefix: String, bound: Figure.Bound?
    ) throws -> [Figure] {
        var figures: [Figure] = []
        for (name, process) in try stack.processIDs.sorted(by: { $0.key < $1.key }) {
            let memory = try ProcessMemory(of: process)
            figures += [
                Figure(
                    "\(prefix).rss.\(name)", memory.resident, .megabytes, bound: name == "redis" ? nil : bound),
                Figure("\(prefix).rss.anon.\(name)", memory.anonymous, .megabytes),
                Figure("\(prefix).rss.file.\(name)", memory.file, .megabytes),
            ]
        }
        return figures
    }
}
