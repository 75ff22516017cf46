package latchkey.auth.machine

import latchkey.auth.AuthError
import latchkey.auth.Event
import latchkey.auth.SignOutReason
import latchkey.auth.SignOutScope
import latchkey.auth.StoreTrouble
import latchkey.auth.StoreVersion
import latchkey.auth.User
import latchkey.auth.record.KeptSignOut

// Sign-in, sign-out, and what else begins or ends a session.

/** Handles a sign-in. The session counts once it is stored. */
internal fun Machine.signedIn(event: MachineEvent.SignedIn) {
    val earlier = session
    val first = earlier?.first
    val token = earlier?.record?.refreshToken
    if (token == event.record.refreshToken) return signedInAgain(earlier, event.caller)
    replyEach(first?.callers, Answer.Refused(AuthError.Cancelled))
    val record = event.record.copy(version = StoreVersion(known.epoch + 1, 1))
    val saved = Saved.First(listOf(event.caller), first?.replaces.orEmpty() + listOfNotNull(token))
    enter(Phase.SignedIn(record, deadline = event.moment.now + record.life, saved = saved))
    letGo { it.hasToken }
    write(record)
}

/** Handles the response to a proof that has opened the present session: the session stays. */
private fun Machine.signedInAgain(session: Phase.SignedIn, caller: Int) {
    val first = session.first ?: return reply(caller, Answer.Given(session.record.userId))
    enter(session.copy(saved = first.copy(callers = first.callers + caller)))
}

/** Finishes a sign-in whose session is stored. */
internal fun Machine.finishSignIn(session: Phase.SignedIn, first: Saved.First, moment: Moment) {
    replyEach(first.callers, Answer.Given(session.record.userId))
    emit(Event.SignedIn(session.record.isNewUser))
    for (token in first.replaces) giveBack(token)
    makeGood(moment)
}

/**
 * Gives back the session of a sign-in that cannot be stored, since it would be lost with the process. What was there before
 * is read again.
 */
internal fun Machine.undoSignIn(session: Phase.SignedIn, first: Saved.First, trouble: StoreTrouble) {
    enter(Phase.SignedOut(StoreVersion(session.record.version.epoch - 1, 0), null, isStored = true))
    replyEach(first.callers, Answer.Refused(AuthError.StoreUnavailable(trouble)))
    emit(Event.StoreFailed(trouble))
    giveBack(session.record.refreshToken)
    act(MachineAction.Read)
}

/** Signs out: here at once, then on the server. */
internal fun Machine.signOutAsked(caller: Int, scope: SignOutScope, moment: Moment) {
    val session = session
    if (session == null) {
        saveSignOut()
        makeGood(moment)
        return reply(caller, Answer.Given(if (state.kept.isEmpty()) Answer.Given.CONFIRMED else ""))
    }
    val (access, refresh) = session.record.accessToken to session.record.refreshToken
    val since = maxOf(moment.wall, state.kept.maxOfOrNull { it.since + 1 } ?: 0)
    val kept = KeptSignOut(access, refresh.takeIf { access == null }, scope, since, session.record.origin)
    keep(listOf(kept))
    end(SignOutReason.ASKED)
    act(MachineAction.SignOutOnServer(KeptSignOut(null, refresh, scope), kept, caller))
    for (token in session.first?.replaces.orEmpty()) giveBack(token)
}

/** Ends the session. A sign-out of the next epoch is stored in its place. */
internal fun Machine.end(reason: SignOutReason) {
    val session = session ?: return
    val version = StoreVersion(session.record.version.epoch + 1, 0)
    writeSignOut(version, reason)
    leave(version, reason, isStored = false)
}

/** Notes that the server knows more than the access token says. A renewal that is on its way may have come before that. */
internal fun Machine.outdated() {
    val session = session ?: return
    val coming = if (session.mode is Mode.Flying) 1 else 0
    enter(session.copy(outdated = session.record.version.generation + coming))
}

/** Leaves the session without writing anything. */
internal fun Machine.leave(version: StoreVersion, reason: SignOutReason, isStored: Boolean) {
    val fault = Answer.Refused(if (reason == SignOutReason.INACTIVE) AuthError.AccountInactive else AuthError.SignedOut(reason))
    replyEach(session?.first?.callers, fault)
    enter(Phase.SignedOut(version, reason, isStored))
    answerAll(fault)
    emit(Event.SignedOut(reason))
}

/** Handles a profile that the server has returned. */
internal fun Machine.userChanged(user: User) {
    val session = session ?: return
    if (session.record.userId != user.id || session.record.user == user) return
    enter(session.copy(record = session.record.copy(user = user)))
    emit(Event.UserChanged(user))
}

private fun Machine.giveBack(refreshToken: String) =
    act(MachineAction.SignOutOnServer(KeptSignOut(null, refreshToken), kept = null, caller = null))

// Sign-outs that the server has not confirmed.

/** Keeps further ones, such as those of an item that was read. */
internal fun Machine.keep(more: List<KeptSignOut>) {
    val known = state.kept.map { it.since }
    state = state.copy(kept = (state.kept + more.filter { it.since !in known }).takeLast(MachineRules.KEPT_MAX))
}

/** Lets go of those that do not pass a test. A stored sign-out is written without them. */
internal fun Machine.letGo(stays: (KeptSignOut) -> Boolean) {
    val kept = state.kept.filter(stays)
    if (kept.size == state.kept.size) return
    state = state.copy(kept = kept)
    val out = state.phase as? Phase.SignedOut ?: return
    enter(out.copy(version = StoreVersion(out.version.epoch, out.version.generation + 1), isStored = false))
    saveSignOut()
}

/** Sends them again. */
internal fun Machine.makeGood(moment: Moment) {
    // Neither date is negative, so the difference does not overflow.
    letGo { moment.wall - it.since < MachineRules.KEPT_FOR && (session == null || it.hasToken) }
    for (kept in state.kept) act(MachineAction.SignOutOnServer(kept, kept, caller = null))
}
