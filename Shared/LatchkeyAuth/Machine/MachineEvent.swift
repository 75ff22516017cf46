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
    case signedIn(caller: Int, SessionRecord, isNewUser: Bool, Moment)
    case signOutAsked(caller: Int, SignOutScope)
    case deleted
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
    /// Sends `POST /auth/logout`, then answers the caller and emits whether the server has confirmed it. Without a caller,
    /// the session was given back, which an app need not know.
    case signOutOnServer(refreshToken: String, SignOutScope, caller: Int?)
    /// Feeds `woke` after this time.
    case wake(after: Duration)
}
