/// The present time on the device's clocks.
struct Moment: Sendable, Equatable {
    /// On the clock that cannot be set.
    let now: Duration
    /// The date in Unix seconds.
    let wall: Int64
}

/// Something that happened.
enum MachineEvent: Sendable, Equatable {
    // The store.
    case read(StoredItem, Moment)
    case unreadable(StoreTrouble, Moment)
    case written(StoreVersion, Moment)
    /// The item with this version was not written, since the stored one is as new or newer.
    case found(StoredItem, insteadOf: StoreVersion, Moment)
    case unwritten(StoreVersion, StoreTrouble, Moment)

    // Callers.
    case wanted(caller: Int, validFor: Duration, Moment)
    case refusedByAPI(caller: Int, token: String, Moment)
    case cancelled(caller: Int)
    case signedIn(caller: Int, SessionRecord, Moment)
    case signOutAsked(caller: Int, everywhere: Bool, Moment)
    /// The server has confirmed the sign-out of this date.
    case signOutConfirmed(since: Int64)
    /// The response to a call says that the session is over.
    case over(SignOutReason)
    /// The server knows more than the access token says: the user has shown again who they are, or has changed an identity.
    case outdated
    case userChanged(User)

    // The server's responses to a renewal of the record with this version.
    case rotated(StoreVersion, Tokens, Moment)
    case failed(StoreVersion, AuthError, jitter: Double, Moment)
    case refused(StoreVersion, SignedIn.Verdict, jitter: Double, Moment)

    // The surroundings.
    case changed(Change, jitter: Double, Moment)
    case woke(Moment)
}

/// Something to do, in this order.
enum MachineAction: Sendable, Equatable {
    case read
    case write(StoredItem)
    /// Sends `POST /auth/refresh` with the record's refresh token and key.
    case renew(SessionRecord)
    case answer(caller: Int, Result<String, AuthError>)
    case emit(Event)
    /// Sends `POST /auth/logout`, then answers the caller and emits whether the server has confirmed it. The sign-out is kept
    /// until then.
    case signOutOnServer(refreshToken: String, KeptSignOut, caller: Int)
    /// Sends a sign-out that was kept, unless it is on its way.
    case makeGood(KeptSignOut)
    /// Ends a session that no user has seen, or that another one has replaced.
    case giveBack(refreshToken: String)
    /// Feeds `woke` after this time.
    case wake(after: Duration)
}
