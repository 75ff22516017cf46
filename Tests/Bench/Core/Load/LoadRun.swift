import Synchronization
import TestSupport

/// Pieces of work, done over several connections, or other lanes of their own, at once.
struct LoadRun<Value: Sendable>: Sendable {
    /// The results of the pieces, in no order.
    let values: [Value]
    let wallSeconds: Double

    /// Does the pieces `indices`, one at a time on each of `lanes`; the first that throws ends the run.
    ///
    /// - Parameters:
    ///   - limit: for all of them; then `LoadFailure.timedOut`.
    ///   - isOver: whether to begin no more of them.
    static func over<Lane: Sendable>(
        _ lanes: [Lane], _ indices: Range<Int>, within limit: Duration,
        until isOver: @escaping @Sendable () -> Bool = { false },
        _ work: @escaping @Sendable (Int, Lane) async throws -> Value
    ) async throws -> LoadRun {
        let pieces = Pieces(indices)
        let start = ContinuousClock.now
        let values = try await withThrowingTaskGroup(of: [Value].self) { group in
            for lane in lanes {
                group.addTask {
                    var values: [Value] = []
                    while !isOver(), let index = pieces.next() {
                        guard ContinuousClock.now - start < limit else { throw LoadFailure.timedOut }
                        values.append(try await work(index, lane))
                    }
                    return values
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return LoadRun(values: values, wallSeconds: (ContinuousClock.now - start) / .seconds(1))
    }
}

/// Hands out each index once.
private final class Pieces: Sendable {
    private let upcoming: Atomic<Int>
    private let end: Int

    init(_ indices: Range<Int>) {
        upcoming = Atomic(indices.lowerBound)
        end = indices.upperBound
    }

    func next() -> Int? {
        let index = upcoming.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < end ? index : nil
    }
}

/// Requests that begin at fixed times, however long the ones before them take.
struct PacedLoad: Sendable {
    private static let longestSeconds = 3600.0
    /// The longest time of a run: four times what is planned, and the time of a machine that stood still.
    private static func limit(of seconds: Double) -> Double { seconds * 4 + 60 }

    let perSecond: Double
    /// `nil` for as long as something else goes on.
    var seconds: Double?

    /// Does each piece of work when it is due.
    ///
    /// - Parameters:
    ///   - first: the number of the first piece.
    ///   - work: gets the number, the lane, and the moment at which it was due; what it throws ends the run.
    func run<Lane: Sendable, Value: Sendable>(
        over lanes: [Lane], from first: Int = 0, until isOver: @escaping @Sendable () -> Bool = { false },
        _ work: @escaping @Sendable (Int, Lane, ContinuousClock.Instant) async throws -> Value
    ) async throws -> [Value] {
        let start = ContinuousClock.now
        let pause = Duration.seconds(1 / perSecond)
        let count = Int((perSecond * (seconds ?? Self.longestSeconds)).rounded())
        let limit = Duration.seconds(seconds.map(Self.limit) ?? Self.longestSeconds)
        return try await LoadRun.over(lanes, first..<first + count, within: limit, until: isOver) { number, lane in
            let due = start + pause * (number - first)
            try await Task.sleep(until: due, tolerance: .zero, clock: .continuous)
            return try await work(number, lane, due)
        }.values
    }

    /// Milliseconds from sending each request to its answer, in no order.
    ///
    /// - Parameter send: sends the request of this number over the connection, and throws for an answer that is wrong.
    func milliseconds(
        over connections: [LoadConnection], from first: Int = 0,
        until isOver: @escaping @Sendable () -> Bool = { false },
        _ send: @escaping @Sendable (Int, LoadConnection) async throws -> Void
    ) async throws -> [Double] {
        try await run(over: connections, from: first, until: isOver) { number, connection, _ in
            let sent = ContinuousClock.now
            try await send(number, connection)
            return (ContinuousClock.now - sent) / .milliseconds(1)
        }
    }
}

/// Runs `body` until `act` has ended; `body` looks whether it has.
///
/// - Returns: the values of both, and how many seconds `act` took.
func during<Result: Sendable, Value: Sendable>(
    _ act: @escaping @Sendable () async throws -> Result,
    _ body: (@escaping @Sendable () -> Bool) async throws -> Value
) async throws -> (value: Value, result: Result, seconds: Double) {
    let isOver = Flag()
    let start = ContinuousClock.now
    async let acting = { () async throws -> (Result, Double) in
        defer { isOver.set() }
        return (try await act(), (ContinuousClock.now - start) / .seconds(1))
    }()
    let value = try await body { isOver.isSet }
    let (result, seconds) = try await acting
    return (value, result, seconds)
}
