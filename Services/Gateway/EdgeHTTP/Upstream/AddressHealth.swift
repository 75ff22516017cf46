import NIOCore

/// Decides whether an address of an upstream gets requests, by how the last ones ended on one event loop.
///
/// The address is skipped after failures in a row, when it sends nothing although requests wait on it and other addresses respond, and
/// for as long as a 503 states. Afterwards one request tries it (half-open).
struct AddressHealth: Sendable, Equatable {
    /// The failures in a row after which the address is skipped.
    static let failuresMax = 3
    /// The requests that have to wait before silence counts, and for how long.
    static let waitingMin = 3
    static let silenceMax = TimeAmount.seconds(1)
    /// The longest pause that a 503 can ask for, in seconds.
    static let pauseSecondsMax: Int64 = 30
    /// How long the address is skipped, at first and at most.
    static let (skipMin, skipMax) = (TimeAmount.milliseconds(100), TimeAmount.seconds(5))

    private var failures = 0
    private var skippedUntil: NIODeadline?
    /// Whether the address itself has asked for the pause.
    private var isPause = false
    /// Whether a request tries the address.
    private var isOnTrial = false
    /// The time since which requests wait, and nothing has been sent.
    private var silentSince: NIODeadline?

    /// Whether it may get a request.
    func isEligible(now: NIODeadline) -> Bool {
        guard let skippedUntil else { return true }
        return now >= skippedUntil && !isOnTrial
    }

    /// Whether it was skipped, and has not responded since.
    var isRecovering: Bool { skippedUntil != nil }

    mutating func requestDidBegin(now: NIODeadline) {
        if let skippedUntil, now >= skippedUntil { isOnTrial = true }
    }

    /// Notes the head of a response.
    ///
    /// - Parameter pauseSeconds: the `Retry-After` of a 503; `nil` for any other response.
    mutating func responseDidBegin(pauseSeconds: Int64?, now: NIODeadline) {
        failures = 0
        isOnTrial = false
        if let pauseSeconds, pauseSeconds > 0 {
            isPause = true
            skippedUntil = now + .seconds(min(pauseSeconds, Self.pauseSecondsMax))
        } else if !isPause || skippedUntil.map({ now >= $0 }) == true {
            (skippedUntil, isPause) = (nil, false)
        }
    }

    /// Notes a time-out, a reset or an unreadable response.
    mutating func requestDidFail(now: NIODeadline) {
        failures = min(failures + 1, 1000)
        isOnTrial = false
        let more = failures - Self.failuresMax
        guard more >= 0 else { return }
        skip(for: min(Self.skipMin * (1 << min(more, 10)), Self.skipMax), now: now)
    }

    /// Notes that a request was cancelled, which says nothing about the address.
    mutating func requestDidCancel() { isOnTrial = false }

    /// Compares what happened since the last look, which was a second ago.
    ///
    /// - Parameters:
    ///   - waiting: the number of requests that have been sent and got no byte of a response.
    ///   - hasSent: whether the address has sent any byte.
    ///   - othersSent: whether another address has.
    mutating func look(waiting: Int, hasSent: Bool, othersSent: Bool, now: NIODeadline) {
        let isSilent = waiting >= Self.waitingMin && !hasSent
        if isSilent, othersSent, let silentSince, now - silentSince >= Self.silenceMax {
            skip(for: Self.skipMax, now: now)
        }
        silentSince = isSilent ? silentSince ?? now : nil
    }

    private mutating func skip(for time: TimeAmount, now: NIODeadline) {
        let until = now + time
        guard skippedUntil.map({ until > $0 }) ?? true else { return }
        (skippedUntil, isPause) = (until, false)
    }
}
