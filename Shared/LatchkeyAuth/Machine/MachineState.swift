/// Everything that the machine knows.
struct MachineState: Sendable, Equatable {
    var phase: Phase = .starting
    /// Callers that wait for an access token.
    var waiters: [Waiter] = []
    var isInBackground = false
    /// Sign-outs that the server has not confirmed. Whatever is written has them.
    var kept: [KeptSignOut] = []

    /// The session, if there is one.
    var session: SignedIn? {
        guard case .signedIn(let session) = phase else { return nil }
        return session
    }

    enum Phase: Sendable, Equatable {
        /// The store has not answered yet.
        case starting
        /// The store cannot be read, so nothing is known.
        case unavailable(StoreTrouble)
        /// No session. The version is that of the stored sign-out; (0, 0) if there is none.
        case signedOut(StoreVersion, SignOutReason?, isStored: Bool)
        case signedIn(SignedIn)
    }
}

/// A caller that waits for an access token.
struct Waiter: Sendable, Equatable {
    let caller: Int
    /// The lifetime that the token must have left.
    var minimum: Duration = .zero
    /// The token that an API has refused: any other one will do.
    var refused: String?
}

/// The record of a sign-in that is being written.
struct FirstSave: Sendable, Equatable {
    /// The callers that wait for it.
    var callers: [Int]
    /// The refresh tokens of the sessions that it takes the place of.
    var replaces: [String] = []
}

/// A session in memory.
struct SignedIn: Sendable, Equatable {
    var record: SessionRecord
    /// The end of the access token's life, on the device's clock.
    var deadline: Duration
    var saved: Saved
    var mode: Mode = .idle
    /// The time of the record's last renewal by any process, or `nil` if that is unknown or long ago.
    var lastRotation: Duration?
    /// Whether that renewal came less than the spacing after the one before it, or may have.
    var isHurried = false
    /// The generation up to which access tokens are older than what the server knows of the user; 0 if there is nothing.
    var outdated: UInt64 = 0
    /// Whether access token and profile have left the memory, since the app is in the background.
    var isResting = false

    /// Whether the record is in the store. Nothing is renewed before it is.
    enum Saved: Sendable, Equatable {
        case no
        case saving
        case yes
        case first(FirstSave)
    }

    /// The progress of a renewal.
    enum Mode: Sendable, Equatable {
        case idle
        /// The store is being read: another process may have been faster.
        case looking(tries: Int)
        /// The request is on its way.
        case flying(tries: Int)
        /// The server has refused the refresh token, and the store is being read before that is believed.
        case doubting(Verdict, tries: Int, jitter: Double)
        /// The last renewal failed.
        case waiting(until: Duration, fault: AuthError, tries: Int)
    }

    /// The server's refusal of a refresh token.
    enum Verdict: Sendable, Equatable {
        case ended(SignOutReason)
        /// A late copy of a request that another process has sent: the successor is already in use.
        case superseded
    }

    /// The number of renewals that have failed one after the other.
    var tries: Int {
        switch mode {
        case .idle: 0
        case .looking(let tries), .flying(let tries), .doubting(_, let tries, _), .waiting(_, _, let tries): tries
        }
    }

    /// The sign-in that is being stored, if the session is one.
    var first: FirstSave? {
        guard case .first(let first) = saved else { return nil }
        return first
    }

    /// Whether the record is being written.
    var isSaving: Bool {
        switch saved {
        case .no, .yes: false
        case .saving, .first: true
        }
    }

    /// Whether a renewal is in progress.
    var isRenewing: Bool {
        switch mode {
        case .idle, .waiting: false
        case .looking, .flying, .doubting: true
        }
    }

    /// Whether the access token is older than what the server knows of the user, so that a newer one is wanted.
    var isOutdated: Bool { record.version.generation <= outdated }

    /// The access token, if it lives longer than this and needs no renewal for another reason.
    func freshToken(longerThan minimum: Duration, at now: Duration) -> String? {
        isOutdated ? nil : token(longerThan: minimum, at: now)
    }

    /// Whether the last renewal was less than the spacing ago.
    func isSoon(_ now: Duration) -> Bool { lastRotation.map { now - $0 < MachineRules.spacing } ?? false }

    /// The access token, if it lives longer than this.
    func token(longerThan minimum: Duration, at now: Duration) -> String? {
        deadline - now > minimum ? record.accessToken : nil
    }
}
