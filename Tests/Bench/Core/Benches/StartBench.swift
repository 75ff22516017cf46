import TestSupport

/// How long each process takes until it is ready, and how much memory it holds when it is idle.
enum StartBench {
    /// From exec to the first 200 of `/readyz`.
    private static let boundSeconds = 0.5
    private static let boundMegabytes = 40.0
    /// Sign-ins before the processes are idle.
    private static let signInCount = 64
    private static let connectionCount = 4
    /// Longer than the processes take to give back what only their start needed.
    private static let idle: Duration = .seconds(11)
    /// Megabytes that a process of ours may hold more when idle than another build's.
    static let againstBounds = Dictionary(
        uniqueKeysWithValues: ["gateway", "otp", "token", "user", "inbox", "sample-api"].map { ("rss.\($0)", 2.0) })

    static func run(of build: Build = .own, rounds: Int) async throws -> [Figure] {
        try await StackUnderLoad.run(build: build) { load in
            _ = try await load.signIn(0..<signInCount, connections: connectionCount)
            try await Task.sleep(for: idle)
            var figures = [Figure("stack", load.startSeconds, .seconds)]
            // Redis, which is not ours, has no bound.
            for (name, process) in try load.stack.processIDs.sorted(by: { $0.key < $1.key }) {
                figures.append(
                    Figure(
                        "rss.\(name)", try ProcessMemory.resident(process), .megabytes,
                        bound: name == "redis" ? nil : .atMost(boundMegabytes)))
            }
            for name in try load.stack.processes where name != "redis" {
                let twin = try ProcessTwin(of: name, in: load.stack)
                var seconds: [Double] = []
                for _ in 0..<rounds { seconds.append(try await twin.secondsToReady()) }
                figures.append(Figure("ready.\(name)", rounds: seconds, .seconds, bound: .atMost(boundSeconds)))
            }
            return figures.under("start")
        }
    }

    /// Start and memory of this build's idle processes next to another's; a fresh stack in each round.
    static func run(against other: Build, pairs: Int, _ bounds: [String: Double]) async throws -> [Figure] {
        try await Pairs.run(pairs) { _ in
            try await run(rounds: 1)
        } theirs: { _ in
            try await run(of: other, rounds: 1)
        }
        .worse(Dictionary(uniqueKeysWithValues: bounds.map { ("start.\($0)", $1) })).under("against")
    }
}

extension ProcessTwin {
    /// Seconds from its start until `/readyz` answers 200 for the first time; then it is ended.
    func secondsToReady() async throws -> Double {
        let start = ContinuousClock.now
        return try await run { twin in
            try await Self.untilReady(twin)
            return (ContinuousClock.now - start) / .seconds(1)
        }
    }

    static func untilReady(_ twin: Running) async throws {
        try await eventually("a twin is ready", every: .milliseconds(2)) {
            // A refused connection is an answer: not yet.
            do {
                return try await LoadConnection.with(1, port: twin.operationsPort) {
                    try await $0[0].send(.get("/readyz")).status == 200
                }
            } catch { return false }
        }
    }
}
