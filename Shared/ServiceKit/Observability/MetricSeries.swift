import CoreMetrics
import Synchronization

/// A value that only increases.
final class CounterSeries: CounterHandler, Sendable {
    private let count = Atomic<Int64>(0)

    var value: Double { Double(count.load(ordering: .relaxed)) }
    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
}

/// A value that can be set or added to.
final class GaugeSeries: MeterHandler, RecorderHandler, FloatingPointCounterHandler, Sendable {
    private let current = Mutex(0.0)

    var value: Double { current.withLock { $0 } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { current.withLock { $0 = value } }
    func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    func reset() { set(0.0) }
}

/// Counts of durations by upper bound, in seconds (the OpenTelemetry buckets for HTTP, with finer ones below 5 ms).
final class HistogramSeries: TimerHandler, RecorderHandler, Sendable {
    static let boundsSeconds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

    /// The values of the series at one moment; `counts` has one more place than there are bounds.
    struct Snapshot: Sendable {
        var counts = [UInt64](repeating: 0, count: boundsSeconds.count + 1)
        var sum = 0.0
    }

    private let state = Mutex(Snapshot())

    var snapshot: Snapshot { state.withLock { $0 } }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = Self.boundsSeconds.firstIndex { value <= $0 } ?? Self.boundsSeconds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }
}
