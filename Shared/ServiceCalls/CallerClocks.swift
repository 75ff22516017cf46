import Synchronization

/// Tracks callers whose clocks are ahead of ours.
///
/// A delayed assertion from a clock that is ahead looks like a new one, so its call would be carried out after the caller
/// has stopped waiting. A process that was found ahead is therefore refused until its times have been right for a while: a
/// single delayed call does not reveal the clock, but the calls after it do.
final class CallerClocks: Sendable {
    /// How long a process's times must be right after it was ahead, in nanoseconds.
    static let probation: Int64 = 2_000_000_000
    /// The maximum number of processes that count as ahead; each has made valid assertions.
    static let processesMax = 1_024

    /// For each process, the time of `BootClock` since which its times have been right again; `nil` while they are not.
    private let ahead = Mutex<[UInt64: Int64?]>([:])

    /// Whether a call of `process` may be carried out.
    ///
    /// - Parameters:
    ///   - isAhead: Whether its assertion's time is too far ahead.
    ///   - ticks: Nanoseconds of `BootClock`.
    func fits(_ process: UInt64, isAhead: Bool, ticks: Int64) -> Bool {
        ahead.withLock { ahead in
            if isAhead {
                if ahead[process] == nil, ahead.count >= Self.processesMax { Self.forgetOne(&ahead) }
                ahead[process] = .some(nil)
                return false
            }
            guard let entry = ahead[process] else { return true }
            guard let since = entry else {
                ahead[process] = ticks
                return false
            }
            guard ticks - since >= Self.probation else { return false }
            ahead[process] = nil
            return true
        }
    }

    /// Processes that exited while they were ahead never return.
    private static func forgetOne(_ ahead: inout [UInt64: Int64?]) {
        if let any = ahead.keys.first { ahead[any] = nil }
    }
}
