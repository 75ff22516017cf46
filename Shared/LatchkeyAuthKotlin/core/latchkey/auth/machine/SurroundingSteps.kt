package latchkey.auth.machine

import latchkey.auth.AuthError
import latchkey.auth.Change

// Changes of the device and the app. No timer runs: a renewal begins when a token is wanted, or when the app comes back.

internal fun Machine.changed(change: Change, jitter: Double, moment: Moment) {
    when (change) {
        Change.BACKGROUND -> {
            state = state.copy(isInBackground = true)
            restInBackground()
        }
        Change.FOREGROUND -> {
            state = state.copy(isInBackground = false)
            catchUp()
            makeGood(moment)
            wakeIfDue(jitter, moment)
        }
        Change.PROTECTED_DATA_THERE -> {
            catchUp()
            makeGood(moment)
        }
        Change.NETWORK_BACK -> {
            makeGood(moment)
            wakeIfDue(jitter, moment)
        }
    }
}

/** Does what was not possible before, or not needed. */
private fun Machine.catchUp() {
    when (val phase = state.phase) {
        Phase.Starting -> {}
        is Phase.Unavailable -> act(MachineAction.Read)
        is Phase.SignedOut -> {
            saveSignOut()
            act(MachineAction.Read)
        }
        is Phase.SignedIn -> {
            if (phase.saved == Saved.No) save(phase)
            if (phase.isResting) act(MachineAction.Read)
        }
    }
}

/** Lets access token and profile leave the memory (they are in the store). */
internal fun Machine.restInBackground() {
    val session = session ?: return
    if (!state.isInBackground || state.waiters.isNotEmpty() || session.saved != Saved.Yes || session.isRenewing) return
    enter(session.copy(record = session.record.copy(accessToken = null, user = null), isResting = true))
}

private fun Machine.wakeIfDue(jitter: Double, moment: Moment) {
    val session = session ?: return
    if (isDue(session, moment)) act(MachineAction.Wake(MachineRules.WAKE_MAX * jitter))
}

/** Renews what is due, a short while after the app or the network came back. */
internal fun Machine.woke(moment: Moment) {
    val session = session ?: return
    if (state.isInBackground || session.isResting || !isDue(session, moment)) return
    val mode = session.mode
    if (mode is Mode.Waiting && isOfTheNetwork(mode.fault)) enter(session.copy(mode = mode.copy(until = moment.now)))
    renew(moment)
}

private fun Machine.isDue(session: Phase.SignedIn, moment: Moment): Boolean =
    session.mode is Mode.Waiting || moment.now + session.record.early(early) >= session.deadline

/** Whether a fault may be gone with another network. Where the server has asked to wait, it is not. */
private fun isOfTheNetwork(fault: AuthError): Boolean = when (fault) {
    AuthError.Offline, AuthError.TimedOut, AuthError.UntrustedServer, AuthError.NotLatchkey -> true
    else -> false
}
