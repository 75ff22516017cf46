package latchkey.auth.machine

import java.util.Date
import latchkey.auth.AuthError
import latchkey.auth.Event
import latchkey.auth.StoreVersion
import latchkey.auth.record.Tokens

// The steps of a renewal: read the store, send the request, believe the response.

/** Reads the store first: another process may have renewed the session, or ended it. */
internal fun Machine.look(session: Phase.SignedIn) {
    enter(session.copy(mode = Mode.Looking(session.tries)))
    act(MachineAction.Read)
}

/** Goes on with what the reading was for, since the store holds what the machine knows. */
internal fun Machine.confirmed(session: Phase.SignedIn, moment: Moment) {
    when (val mode = session.mode) {
        Mode.Idle, is Mode.Flying, is Mode.Waiting -> {}
        is Mode.Looking -> {
            enter(session.copy(mode = Mode.Flying(mode.tries)))
            act(MachineAction.Renew(session.record))
        }
        is Mode.Doubting -> when (mode.verdict) {
            is Verdict.Ended -> end(mode.verdict.reason)
            Verdict.Superseded -> postpone(AuthError.Unavailable(null), mode.jitter, moment)
        }
    }
}

/** Handles new tokens. */
internal fun Machine.rotated(version: StoreVersion, tokens: Tokens, moment: Moment) {
    // After a sign-out, or if another process was faster, the response is of no use any more.
    val session = flying(version) ?: return
    val next = session.copy(
        record = session.record.renewed(tokens, moment.wall), deadline = moment.now + tokens.life,
        lastRotation = moment.now, isHurried = session.isSoon(moment.now), mode = Mode.Idle,
    )
    save(next)
    // Callers that wait for a token from after that are served once this one is saved.
    if (!next.isOutdated) answerAll(Answer.Given(tokens.accessToken))
    emit(Event.Renewed)
}

/** Handles a request without a response that says anything about the session. */
internal fun Machine.failed(version: StoreVersion, error: AuthError, jitter: Double, moment: Moment) {
    if (flying(version) != null) postpone(error, jitter, moment)
}

/** Handles a refused refresh token. The store is read before that is believed. */
internal fun Machine.refused(version: StoreVersion, verdict: Verdict, jitter: Double) {
    val session = flying(version) ?: return
    enter(session.copy(mode = Mode.Doubting(verdict, session.tries, jitter)))
    act(MachineAction.Read)
}

/** Waits before the next attempt, longer each time. */
internal fun Machine.postpone(error: AuthError, jitter: Double, moment: Moment) {
    val session = session ?: return
    val tries = session.tries + 1
    val wait = MachineRules.wait(tries, error.retryAfter, jitter)
    enter(session.copy(mode = Mode.Waiting(moment.now + wait, error, tries)))
    settle(error, moment)
    emit(Event.RenewalDeferred(error, retryAt = Date(moment.wall * 1000 + wait.inWholeMilliseconds)))
}

/** Returns the session, if a renewal of the record with this version is on its way. */
private fun Machine.flying(version: StoreVersion): Phase.SignedIn? =
    session?.takeIf { it.record.version == version && it.mode is Mode.Flying }
