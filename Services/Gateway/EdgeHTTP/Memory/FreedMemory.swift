import NIOCore
import NIOPosix
import ServiceKit
import Synchronization

/// Returns freed memory to the kernel when connections hold much less than before.
final class FreedMemory: Sendable {
    /// The least number of bytes worth returning; fewer are soon used again.
    static let worthwhileBytes = 16 << 20
    /// How long fewer bytes have to be held first. Threads that allocate wait while memory is returned, so it must not happen
    /// during a flood.
    static let calmSeconds: Int64 = 5

    private struct State: Sendable {
        var peak = 0
        var lowSince: NIODeadline?
        var isUnderWay = false
    }

    private let state = Mutex(State())

    /// Notes the bytes held, and returns the memory that was freed since the peak.
    func maintain(held: Int, now: NIODeadline = .now()) {
        guard state.withLock({ Self.isDue(&$0, held: held, now: now) }) else { return }
        // Returning memory takes milliseconds, too long for an event loop.
        NIOThreadPool.singleton.submit { _ in
            SpareMemory.releaseHeap()
            self.state.withLock { $0.isUnderWay = false }
        }
    }
}

extension FreedMemory {
    private static func isDue(_ state: inout State, held: Int, now: NIODeadline) -> Bool {
        state.peak = max(state.peak, held)
        guard !state.isUnderWay, state.peak - held >= worthwhileBytes else {
            state.lowSince = nil
            return false
        }
        let lowSince = state.lowSince ?? now
        state.lowSince = lowSince
        guard now - lowSince >= .seconds(calmSeconds) else { return false }
        state = State(peak: held, isUnderWay: true)
        return true
    }
}
