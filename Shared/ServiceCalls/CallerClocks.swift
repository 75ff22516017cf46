import Synchronization

/// Which callers' clocks are ahead of ours.
///
/// An assertion from ahead that was long on its way looks like a fresh one, and its call would be carried out after its
/// caller has given up. So a process that was found ahead is refused until it has fitted for a while: a call that was held
/// up shows nothing of its caller's clock, the ones that follow it do.
final class CallerClocks: Sendable {
    /// How long a process must fit after it was ahead, in nanoseconds.
    static let probation: Int64 = 2_000_000_000
    /// Processes that are held for ahead; each has asserted its calls.
    static let processesMax = 1_024

    /// By process: since when it has fitted again, by `BootClock`; nil while it does not.
    private let ahead = Mutex<[UInt64: Int64?]>([:])

    /// Whether a call of `process` may be carried out.
    ///
    /// - Parameters:
    ///   - isAhead: whether its assertion's time lies too far ahead.
    ///   - ticks: nanoseconds by `BootClock`.
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

    /// Processes that ended while they were ahead never come again.
    private static func forgetOne(_ ahead: inout [UInt64: Int64?]) {
        if let any = ahead.keys.first { ahead[any] = nil }
    }
}
