internal import NIOPosix
internal import Synchronization

/// Gives freed memory back to the kernel when connections hold much less than before: glibc keeps what lies below anything
/// that is in use, and a process that was flooded once would show it for ever.
final class FreedMemory: Sendable {
    /// Less is soon used again.
    static let worthwhileBytes = 16 << 20

    private struct State: Sendable {
        var peak = 0
        var isUnderWay = false
    }

    private let state = Mutex(State())

    /// Notes what is held; gives back what has been freed since it was most.
    func tend(held: Int) {
        let isDue = state.withLock { state in
            state.peak = max(state.peak, held)
            guard !state.isUnderWay, state.peak - held >= Self.worthwhileBytes else { return false }
            state.peak = held
            state.isUnderWay = true
            return true
        }
        guard isDue else { return }
        // It takes milliseconds: not on an event loop.
        NIOThreadPool.singleton.submit { _ in
            _ = mallocTrim(0)
            self.state.withLock { $0.isUnderWay = false }
        }
    }
}

/// malloc_trim(3): gives back all free pages but `pad` bytes at the top; the Glibc module leaves it out.
@_silgen_name("malloc_trim")
private func mallocTrim(_ pad: Int) -> Int32
