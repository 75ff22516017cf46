package latchkey.auth.machine

import latchkey.auth.AuthError
import latchkey.auth.Event
import latchkey.auth.SignOutReason
import latchkey.auth.SignOutScope
import latchkey.auth.StoreTrouble
import latchkey.auth.StoreVersion
import latchkey.auth.User
import latchkey.auth.record.StoredItem

// Sign-in, sign-out, and what else begins or ends a session.

/** Handles a sign-in. The session counts once it is stored. */
internal fun Machine.signedIn(event: MachineEvent.SignedIn) {
    val record = event.record.copy(version = StoreVersion(knownEpoch + 1, 1))
    val saved = Saved.First(event.caller, event.isNewUser, replaces = session?.record?.refreshToken)
    enter(Phase.SignedIn(record, deadline = event.moment.now + record.life, saved = saved))
    act(MachineAction.Write(StoredItem.Record(record)))
}

/** Finishes a sign-in whose session is stored. */
internal fun Machine.finishSignIn(session: Phase.SignedIn, first: Saved.First) {
    reply(first.caller, Answer.Given(session.record.userId))
    emit(Event.SignedIn(first.isNewUser))
    if (first.replaces != null) act(MachineAction.SignOutOnServer(first.replaces, SignOutScope.THIS_SESSION, null))
}

/**
 * Gives back the session of a sign-in that cannot be stored, since it would be lost with the process. What was there before
 * is read again.
 */
internal fun Machine.undoSignIn(session: Phase.SignedIn, caller: Int, trouble: StoreTrouble) {
    enter(Phase.SignedOut(session.record.version.epoch - 1, null, isStored = true))
    reply(caller, Answer.Refused(AuthError.StoreUnavailable(trouble)))
    emit(Event.StoreFailed(trouble))
    act(MachineAction.SignOutOnServer(session.record.refreshToken, SignOutScope.THIS_SESSION, null))
    act(MachineAction.Read)
}

/** Signs out: here at once, then on the server. */
internal fun Machine.signOutAsked(caller: Int, scope: SignOutScope) {
    val session = session ?: return reply(caller, Answer.Given(""))
    end(SignOutReason.ASKED)
    act(MachineAction.SignOutOnServer(session.record.refreshToken, scope, caller))
}

/** Ends the session. A sign-out of the next epoch is stored in its place. */
internal fun Machine.end(reason: SignOutReason) {
    val session = session ?: return
    val epoch = session.record.version.epoch + 1
    act(MachineAction.Write(StoredItem.SignedOut(epoch, reason)))
    leave(epoch, reason, isStored = false)
}

/** Notes that another process has ended the session. */
internal fun Machine.endedElsewhere(epoch: Long, reason: SignOutReason) {
    leave(epoch, if (reason == SignOutReason.ASKED) SignOutReason.ELSEWHERE else reason, isStored = true)
}

internal fun Machine.leave(epoch: Long, reason: SignOutReason, isStored: Boolean) {
    val fault = if (reason == SignOutReason.INACTIVE) AuthError.AccountInactive else AuthError.SignedOut(reason)
    val saved = session?.saved
    if (saved is Saved.First) reply(saved.caller, Answer.Refused(fault))
    enter(Phase.SignedOut(epoch, reason, isStored))
    answerAll(Answer.Refused(fault))
    emit(Event.SignedOut(reason))
}

/** Handles a profile that the server has returned. */
internal fun Machine.userChanged(user: User) {
    val session = session ?: return
    if (session.record.userId != user.id || session.record.user == user) return
    enter(session.copy(record = session.record.copy(user = user)))
    emit(Event.UserChanged(user))
}

/** The newest epoch that is known. */
private val Machine.knownEpoch: Long
    get() = when (val phase = state.phase) {
        Phase.Starting, is Phase.Unavailable -> 0
        is Phase.SignedOut -> phase.epoch
        is Phase.SignedIn -> phase.record.version.epoch
    }
