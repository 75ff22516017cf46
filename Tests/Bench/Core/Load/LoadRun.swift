import Synchronization

/// Pieces of work, done over several connections, or other lanes of their own, at once.
package struct LoadRun<Value: Sendable>: Sendable {
    /// The results of the pieces, in no order.
    package let values: [Value]
    package let wallSeconds: Double

    /// Does the pieces `indices`, one at a time on each of `lanes`; the first that throws ends the run.
    ///
    /// - Parameter limit: for all of them; then `LoadFailure.timedOut`.
    package static func over<Lane: Sendable>(
        _ lanes: [Lane], _ indices: Range<Int>, within limit: Duration,
        _ work: @escaping @Sendable (Int, Lane) async throws -> Value
    ) async throws -> LoadRun {
        let pieces = Pieces(indices)
        let start = ContinuousClock.now
        let values = try await withThrowingTaskGroup(of: [Value].self) { group in
            for lane in lanes {
                group.addTask {
                    var values: [Value] = []
                    while let index = pieces.next() {
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
