/// One stretch of refreshes over all clients, and its cost for each process.
struct RefreshRound: Sendable {
    private static let limit: Duration = .seconds(600)

    let perSecond: Double
    /// Sorted.
    let milliseconds: [Double]
    /// CPU µs of one rotation, by process.
    let microseconds: [String: Double]
    /// The load generator's.
    let ownMicroseconds: Double
    /// Cores that were busy for anything else.
    let othersCores: Double

    /// Rotates `count` times, over all clients together.
    static func run(_ clients: [RefreshClient], count: Int, on stack: StackUnderLoad) async throws -> RefreshRound {
        let before = try Clocks(stack)
        let run = try await LoadRun.over(clients, 0..<count, within: limit) { _, client in try await client.refresh() }
        let after = try Clocks(stack)
        let used = try after.stack.used(since: before.stack)
        let own = after.ownMicroseconds - before.ownMicroseconds
        let others = after.machineSeconds - before.machineSeconds - used.values.reduce(0, +) - own / 1_000_000
        return RefreshRound(
            perSecond: Double(count) / run.wallSeconds, milliseconds: run.values.sorted(),
            microseconds: used.mapValues { $0 * 1_000_000 / Double(count) }, ownMicroseconds: own / Double(count),
            othersCores: others / run.wallSeconds)
    }

    func percentile(_ percent: Int) -> Double { Percentile.of(milliseconds, percent: percent) ?? 0 }

    /// CPU µs of one rotation over the processes that a refresh passes through.
    func total(_ processes: [String]) -> Double { processes.reduce(0) { $0 + (microseconds[$1] ?? 0) } }
}

/// All clocks at one moment.
private struct Clocks {
    let stack: CPULedger
    let ownMicroseconds = Machine.ownMicroseconds
    let machineSeconds = Machine.busySeconds

    init(_ stack: StackUnderLoad) throws { self.stack = try CPULedger(stack.stack) }
}
