import NIOCore

/// Decides whether an address of an upstream gets requests, by how the last ones ended.
///
/// An address is skipped after failures in a row, when it sends nothing although requests wait on it and other addresses respond, and
/// for as long as its 503 states; never if no other address serves. Then one request tries it (half-open), or a check does.
struct AddressHealth: Sendable, Equatable {
    /// The reason why an address is skipped.
    enum Reason: String, Sendable, CaseIterable {
        /// Time-outs, resets or unreadable responses in a row.
        case failures
        case silence
        /// It refused a connection, and a check has to say when it serves again.
        case refused
        /// The `Retry-After` of its 503.
        case retryAfter = "retry_after"
    }

    /// A change that operators are told.
    enum Change: Sendable, Equatable {
        case skipped(Reason)
        case returned
    }

    private struct Skip: Sendable, Equatable {
        let reason: Reason
        /// The time of the next try.
        var triedFrom: NIODeadline
    }

    /// The failures in a row after which the address is skipped.
    static let failuresMax = 3
    /// The number of requests that have to wait before silence counts.
    static let waitingMin = 3
    /// How long silence has to last: a second, and the time in which all event loops have reported.
    static let silenceMax = TimeAmount.milliseconds(1250)
    /// The longest pause that a 503 can request, in seconds.
    static let pauseSecondsMax: Int64 = 30
    /// How long the address is skipped for failures, at first and at most.
    static let (skipMin, skipMax) = (TimeAmount.milliseconds(100), TimeAmount.seconds(5))
    /// How long a request that tries the address keeps others from it.
    static let trialMax = TimeAmount.seconds(5)

    /// The time between two checks; `nil` if requests of clients try the address.
    let checkInterval: TimeAmount?
    private var failures = 0
    /// The number of times that the address was skipped, or a try failed, since it was last well.
    private var skipCount = 0
    private var skip: Skip?
    /// The time since which requests wait and nothing has been sent.
    private var silentSince: NIODeadline?

    init(checkInterval: TimeAmount? = nil) { self.checkInterval = checkInterval }

    var isSkipped: Bool { skip != nil }

    /// Whether a good response changes nothing.
    var isWell: Bool { failures == 0 && skipCount == 0 && skip == nil }

    /// Whether a request may try the address, which is skipped.
    func mayBeTried(now: NIODeadline) -> Bool {
        guard let skip, checkInterval == nil else { return false }
        return now >= skip.triedFrom
    }

    /// Begins a try, and returns whether this request is the one. While it lasts, no other request gets the address.
    mutating func beginTrial(now: NIODeadline) -> Bool {
        guard mayBeTried(now: now) else { return false }
        skip?.triedFrom = now + Self.trialMax
        return true
    }

    /// Lets the next request try the address, since this one was cancelled.
    mutating func trialDidCancel(now: NIODeadline) { skip?.triedFrom = now }

    /// Begins a check if one is due, and returns whether it is.
    mutating func beginCheck(now: NIODeadline) -> Bool {
        guard let skip, let checkInterval, now >= skip.triedFrom else { return false }
        self.skip?.triedFrom = now + checkInterval
        return true
    }

    /// Notes that a check found the address well.
    mutating func checkDidPass() -> Change? { isSkipped ? endSkip() : nil }

    /// Notes the head of a response.
    ///
    /// - Parameters:
    ///   - pauseSeconds: the `Retry-After` of a 503; `nil` for any other response.
    ///   - isTrial: whether the request is the one that tries the address.
    ///   - othersServe: whether another address serves.
    mutating func responseDidBegin(
        pauseSeconds: Int64? = nil, isTrial: Bool, othersServe: Bool, now: NIODeadline
    ) -> Change? {
        if let pauseSeconds, pauseSeconds > 0, othersServe {
            return begin(.retryAfter, until: now + .seconds(min(pauseSeconds, Self.pauseSecondsMax)))
        }
        guard let skip, checkInterval == nil, isTrial || skip.reason != .retryAfter else { return nil }
        return endSkip()
    }

    /// Notes that a response is complete.
    mutating func responseDidEnd() {
        guard skip == nil else { return }
        (failures, skipCount) = (0, 0)
    }

    /// Notes a time-out, a reset or an unreadable response.
    mutating func requestDidFail(isTrial: Bool, othersServe: Bool, now: NIODeadline) -> Change? {
        if let skip {
            // Requests that were under way when the skip began say nothing new.
            guard isTrial else { return nil }
            // Each try of a silent address costs a client the whole time-out.
            let pause = skip.reason == .silence ? Self.skipMax : lengthened()
            self.skip?.triedFrom = now + pause
            return nil
        }
        failures = min(failures + 1, Self.failuresMax)
        guard failures == Self.failuresMax, othersServe else { return nil }
        return begin(.failures, until: now + (checkInterval ?? lengthened()))
    }

    /// Notes a refused connection. Without checks the connections themselves show when the address accepts some again. The first check
    /// is due at once, since a single connection may fail by chance.
    mutating func connectDidFail(othersServe: Bool, now: NIODeadline) -> Change? {
        guard checkInterval != nil, othersServe, skip == nil else { return nil }
        return begin(.refused, until: now)
    }

    /// Compares the address with the others, several times a second.
    ///
    /// - Parameters:
    ///   - waitingCount: the number of requests that have been sent and got no byte of a response.
    ///   - hasSent: whether the address has sent any byte since the last call.
    ///   - othersSent: whether another address has sent any within the last second.
    mutating func look(waitingCount: Int, hasSent: Bool, othersSent: Bool, now: NIODeadline) -> Change? {
        guard waitingCount >= Self.waitingMin else {
            silentSince = nil
            return nil
        }
        guard !hasSent, let silentSince else {
            self.silentSince = now
            return nil
        }
        guard now - silentSince >= Self.silenceMax, othersSent, skip == nil else { return nil }
        return begin(.silence, until: now + (checkInterval ?? Self.skipMax))
    }

    private mutating func begin(_ reason: Reason, until: NIODeadline) -> Change? {
        let isNews = skip == nil
        skip = Skip(reason: reason, triedFrom: until)
        return isNews ? .skipped(reason) : nil
    }

    /// Ends the skip. Until a response is complete, one failure begins the next, which is longer.
    private mutating func endSkip() -> Change {
        skip = nil
        failures = Self.failuresMax - 1
        silentSince = nil
        return .returned
    }

    /// Returns the length of the next skip for failures, twice that of the last.
    private mutating func lengthened() -> TimeAmount {
        defer { skipCount = min(skipCount + 1, 10) }
        return min(Self.skipMin * (1 << skipCount), Self.skipMax)
    }
}
