package latchkey.auth.machine

import kotlin.time.Duration
import latchkey.auth.AuthError
import latchkey.auth.Change
import latchkey.auth.Event
import latchkey.auth.SignOutReason
import latchkey.auth.SignOutScope
import latchkey.auth.StoreTrouble
import latchkey.auth.StoreVersion
import latchkey.auth.User
import latchkey.auth.record.KeptSignOut
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.StoredItem
import latchkey.auth.record.Tokens

/** The present time on the device's clocks: on the one that cannot be set, and the date in Unix seconds. */
internal data class Moment(val now: Duration, val wall: Long)

/** Something that happened. */
internal sealed interface MachineEvent {
    // The store.
    data class Read(val item: StoredItem, val moment: Moment) : MachineEvent
    data class Unreadable(val trouble: StoreTrouble, val moment: Moment) : MachineEvent
    data class Written(val version: StoreVersion, val moment: Moment) : MachineEvent

    /** The item with this version was not written, since the stored one is as new or newer. */
    data class Found(val item: StoredItem, val insteadOf: StoreVersion, val moment: Moment) : MachineEvent
    data class Unwritten(val version: StoreVersion, val trouble: StoreTrouble, val moment: Moment) : MachineEvent

    // Callers.
    data class Wanted(val caller: Int, val validFor: Duration, val moment: Moment) : MachineEvent
    data class RefusedByApi(val caller: Int, val token: String, val moment: Moment) : MachineEvent
    data class Cancelled(val caller: Int) : MachineEvent
    data class SignedIn(val caller: Int, val record: SessionRecord, val moment: Moment) : MachineEvent
    data class SignOutAsked(val caller: Int, val scope: SignOutScope, val moment: Moment) : MachineEvent

    /** The server has confirmed a sign-out that was kept, or never will. */
    data class SignOutConfirmed(val kept: KeptSignOut) : MachineEvent

    /** The response to a call says that the session is over. */
    data class Over(val reason: SignOutReason) : MachineEvent

    /** The server knows more than the access token says: the user has shown again who they are, or has changed an identity. */
    data object Outdated : MachineEvent
    data class UserChanged(val user: User) : MachineEvent

    // The server's responses to a renewal of the record with this version.
    data class Rotated(val version: StoreVersion, val tokens: Tokens, val moment: Moment) : MachineEvent
    data class Failed(val version: StoreVersion, val error: AuthError, val jitter: Double, val moment: Moment) : MachineEvent
    data class Refused(val version: StoreVersion, val verdict: Verdict, val jitter: Double) : MachineEvent

    // The surroundings.
    data class Changed(val change: Change, val jitter: Double, val moment: Moment) : MachineEvent
    data class Woke(val moment: Moment) : MachineEvent
}

/** Something to do, in this order. */
internal sealed interface MachineAction {
    data object Read : MachineAction
    data class Write(val item: StoredItem) : MachineAction

    /** Sends `POST /auth/refresh` with the record's refresh token and key. */
    data class Renew(val record: SessionRecord) : MachineAction
    data class Reply(val caller: Int, val answer: Answer) : MachineAction
    data class Emit(val event: Event) : MachineAction

    /**
     * Sends `POST /auth/logout`, then answers the caller and emits whether the server has confirmed it. `kept` is what the
     * store keeps until then; without a caller, it is made good. Without both, the session was given back, which an app need
     * not know.
     */
    data class SignOutOnServer(val signOut: KeptSignOut, val kept: KeptSignOut?, val caller: Int?) : MachineAction

    /** Feeds [MachineEvent.Woke] after this time. */
    data class Wake(val after: Duration) : MachineAction
}

/** The answer to a caller. */
internal sealed interface Answer {
    data class Given(val text: String) : Answer {
        companion object {
            /** The answer to a sign-out that the server knows. */
            const val CONFIRMED = "confirmed"
        }
    }
    data class Refused(val error: AuthError) : Answer
}
