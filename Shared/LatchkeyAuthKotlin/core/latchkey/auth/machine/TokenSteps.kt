package latchkey.auth.machine

import kotlin.time.Duration
import latchkey.auth.AuthError

// Callers that want an access token.

/** Gives a caller the access token, at once or as soon as it is renewed. */
internal fun Machine.serve(waiter: Waiter, moment: Moment) {
    val phase = state.phase
    if (phase == Phase.Starting) return wait(waiter)
    if (phase !is Phase.SignedIn) {
        // Another process may have signed in meanwhile.
        saveSignOut()
        return readFor(waiter)
    }
    if (phase.isResting) return readFor(waiter)
    val early = maxOf(phase.record.early(early), waiter.minimum)
    val usable = maxOf(MachineRules.USABLE, waiter.minimum)
    if (give(phase.freshToken(early, moment.now), waiter)) return
    // No renewal begins during a save. A caller that waits for its end has the token renewed then.
    val isGiven = !phase.isSaving && give(phase.freshToken(usable, moment.now), waiter)
    if (!isGiven) wait(waiter)
    renew(moment)
}

/** Serves all callers that wait, after something has changed. */
internal fun Machine.serveAll(moment: Moment) {
    val waiters = state.waiters
    state = state.copy(waiters = emptyList())
    for (waiter in waiters) serve(waiter, moment)
}

/** Handles an access token that an API has answered with 401. */
internal fun Machine.refusedByApi(caller: Int, token: String, moment: Moment) {
    val session = session
    val isPresent = session?.record?.accessToken == token
    if (isPresent && !session.isRenewing && isWithinSpacing(session, moment)) {
        // A token this new is not at fault, and renewing it would go on for ever. Another process may have signed out.
        act(MachineAction.Read)
        reply(caller, Answer.Refused(AuthError.RefusedAgain))
    } else {
        serve(Waiter(caller, refused = token), moment)
    }
}

/** Lets a cancelled caller go. A renewal belongs to no caller, so it goes on. */
internal fun Machine.cancelled(caller: Int) {
    if (state.waiters.none { it.caller == caller }) return
    state = state.copy(waiters = state.waiters.filter { it.caller != caller })
    reply(caller, Answer.Refused(AuthError.Cancelled))
}

/** Begins a renewal, unless one is in progress or has to wait. */
internal fun Machine.renew(moment: Moment) {
    val session = session ?: return
    when {
        session.saved == Saved.No -> save(session)
        session.isSaving || session.isRenewing -> {}
        session.mode is Mode.Waiting && moment.now < session.mode.until -> settle(session.mode.fault, moment)
        isWithinSpacing(session, moment) -> {
            val rest = (session.lastRotation ?: moment.now) + MachineRules.SPACING - moment.now
            settle(AuthError.Unavailable(rest), moment)
        }
        else -> look(session)
    }
}

/** Gives all waiting callers the access token if it still lives, else the fault. */
internal fun Machine.settle(fault: AuthError, moment: Moment) {
    val token = session?.token(Duration.ZERO, moment.now)
    for (waiter in state.waiters) if (!give(token, waiter)) reply(waiter.caller, Answer.Refused(fault))
    state = state.copy(waiters = emptyList())
}

/** Gives a token to a caller, unless it is the one that an API has refused. Returns whether the caller was answered. */
private fun Machine.give(token: String?, waiter: Waiter): Boolean {
    if (token == null || token == waiter.refused) return false
    reply(waiter.caller, Answer.Given(token))
    return true
}

/** Reads the store for a caller. Those that come meanwhile wait for the same result. */
private fun Machine.readFor(waiter: Waiter) {
    if (state.waiters.isEmpty()) act(MachineAction.Read)
    wait(waiter)
}

private fun Machine.wait(waiter: Waiter) {
    state = state.copy(waiters = state.waiters + waiter)
}

/** Whether a renewal has to wait. That of an outdated token need not, but no two in a row are hurried so. */
private fun isWithinSpacing(session: Phase.SignedIn, moment: Moment): Boolean =
    session.isSoon(moment.now) && (!session.isOutdated || session.isHurried)
