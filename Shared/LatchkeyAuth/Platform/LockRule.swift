/// The time at which the app's screens are locked.
public enum LockRule: Sendable, Equatable {
    case never
    /// At each start and each return to the foreground.
    case always
    /// At each start, and after the app was not used for this time, in the foreground or the background.
    case afterIdle(Duration)
}

/// Whether the screens are locked.
struct LockState: Sendable, Equatable {
    let rule: LockRule
    private var isClosed: Bool
    private var lastUse: Duration

    init(_ rule: LockRule, at now: Duration) {
        self.rule = rule
        isClosed = rule != .never
        lastUse = now
    }

    /// The time at which the screens are locked if the app is not used before; `nil` if there is none.
    var deadline: Duration? {
        guard case .afterIdle(let limit) = rule, !isClosed else { return nil }
        return lastUse + limit
    }

    func isLocked(at now: Duration) -> Bool { isClosed || deadline.map { now >= $0 } ?? false }

    /// The user has done something. What is locked stays locked.
    mutating func used(at now: Duration) {
        isClosed = isLocked(at: now)
        lastUse = now
    }

    mutating func changed(_ change: Change, at now: Duration) {
        switch change {
        case .background: isClosed = isClosed || rule == .always
        case .foreground: isClosed = isLocked(at: now)
        case .protectedDataThere, .networkBack: break
        }
    }

    /// The user has confirmed that it is them.
    mutating func unlocked(at now: Duration) {
        isClosed = false
        lastUse = now
    }
}

/// The result of asking the user to confirm that it is them.
public enum Confirmation: Sendable, Equatable {
    case confirmed
    /// The user has cancelled, or their face or finger was not recognised.
    case declined
    /// The device has no passcode, so there is nothing to ask for.
    case impossible
}
