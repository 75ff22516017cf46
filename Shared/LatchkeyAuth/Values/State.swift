public import Foundation

/// The present state of the session.
public enum State: Sendable, Equatable {
    /// The store has not answered yet.
    case starting
    /// The store cannot be read. The user may or may not be signed in, so show neither the sign-in screen nor the app.
    case unavailable(StoreTrouble)
    /// No session exists. The reason is `nil` if there was none before.
    case signedOut(SignOutReason?)
    /// A session exists.
    case signedIn(Session)
}

/// A session as an app sees it.
public struct Session: Sendable, Equatable {
    /// The user's public id.
    public let userID: String
    /// Whether the access token can be renewed at present.
    public let freshness: Freshness
}

/// Whether a session's access token can be renewed at present.
public enum Freshness: Sendable, Equatable {
    /// Nothing is wrong.
    case fresh
    /// A renewal is in progress.
    case renewing
    /// The last renewal failed, and another attempt follows. The user is still signed in.
    case overdue(AuthError)
}

/// A change of the session, delivered by ``LatchkeyAuth/events``.
public enum Event: Sendable, Equatable {
    /// A stored session was found, at the start or because another process signed in.
    case restored
    /// The user signed in, and the session is stored.
    case signedIn(isNewUser: Bool)
    /// The user had signed in neither from this device nor from this network before. The server may have told them by a message.
    case newDevice
    /// New tokens arrived, from the server or from another process.
    case renewed
    /// A renewal failed. The next one is possible at this time.
    case renewalDeferred(AuthError, retryAt: Date)
    /// The server returned a changed profile.
    case userChanged(User)
    /// The session ended.
    case signedOut(SignOutReason)
    /// The server has confirmed a sign-out, or has not at once and is told later.
    case signedOutOnServer(confirmed: Bool)
    /// The store could not be read or written. What could not be written is written again later.
    case storeFailed(StoreTrouble)
}
