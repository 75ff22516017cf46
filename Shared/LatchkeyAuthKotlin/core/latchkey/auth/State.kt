package latchkey.auth

import java.util.Date

/** The present state of the session. */
public sealed interface State {
    /** The store has not answered yet. */
    public data object Starting : State

    /** The store cannot be read. The user may or may not be signed in, so show neither the sign-in screen nor the app. */
    public data class Unavailable(val trouble: StoreTrouble) : State

    /** No session exists. The reason is `null` if there was none before. */
    public data class SignedOut(val reason: SignOutReason?) : State

    /** A session exists. */
    public data class SignedIn(val session: Session) : State
}

/** A session as an app sees it. */
public data class Session(
    /** The user's public id. */
    val userId: String,
    /** Whether the access token can be renewed at present. */
    val freshness: Freshness,
)

/** Whether a session's access token can be renewed at present. */
public sealed interface Freshness {
    /** Nothing is wrong. */
    public data object Fresh : Freshness

    /** A renewal is in progress. */
    public data object Renewing : Freshness

    /** The last renewal failed, and another attempt follows. The user is still signed in. */
    public data class Overdue(val error: AuthError) : Freshness
}

/** A change of the session, delivered by [LatchkeyAuth.events]. */
public sealed interface Event {
    /** A stored session was found, at the start or because another process signed in. */
    public data object Restored : Event

    /** The user signed in, and the session is stored. */
    public data class SignedIn(val isNewUser: Boolean) : Event

    /** The user had signed in neither from this device nor from this network before. The server may have told them by a message. */
    public data object NewDevice : Event

    /** New tokens arrived, from the server or from another process. */
    public data object Renewed : Event

    /** A renewal failed. The next one is possible at this time. */
    public data class RenewalDeferred(val error: AuthError, val retryAt: Date) : Event

    /** The server returned a changed profile. */
    public data class UserChanged(val user: User) : Event

    /** The session ended. */
    public data class SignedOut(val reason: SignOutReason) : Event

    /** After a sign-out: whether the server has confirmed it. */
    public data class SignedOutOnServer(val isConfirmed: Boolean) : Event

    /** The store could not be read or written. What could not be written is written again later. */
    public data class StoreFailed(val trouble: StoreTrouble) : Event
}
