import NIOCore
import NIOPosix
import Synchronization

/// Gives freed memory back to the kernel when connections hold much less than before: glibc keeps what lies below anything
/// that is in use, and a process that was flooded once would show it for ever.
final class FreedMemory: Sendable {
    /// Less is soon used again.
    static let worthwhileBytes = 16 << 20
    /// For so long less has to be held: threads that allocate wait while memory is given back, so not in the midst of a flood.
    static let calmSeconds: Int64 = 5

    private struct State: Sendable {
        var peak = 0
        var lowSince: NIODeadline?
        var isUnderWay = false
    }

    private let state = Mutex(State())

    /// Notes what is held; gives back what has been freed since it was most.
    func tend(held: Int, now: NIODeadline = .now()) {
        guard state.withLock({ Self.isDue(&$0, held: held, now: now) }) else { return }
        // It takes milliseconds: not on an event loop.
        NIOThreadPool.singleton.submit { _ in
            _ = mallocTrim(0)
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

/// malloc_trim(3): gives back all free pages but `pad` bytes at the top; the Glibc module leaves it out.
@_silgen_name("malloc_trim")
private func mallocTrim(_ pad: Int) -> Int32
