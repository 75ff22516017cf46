package latchkey.auth.machine

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import latchkey.auth.AuthError
import latchkey.auth.Event
import latchkey.auth.SignOutReason
import latchkey.auth.StoreTrouble
import latchkey.auth.StoreVersion
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.StoredItem

// The contents of the store, and failures to read or write it.

/** Handles the content of the store. */
internal fun Machine.read(item: StoredItem, moment: Moment) {
    when (val phase = state.phase) {
        Phase.Starting, is Phase.Unavailable -> begin(item, moment)
        is Phase.SignedOut -> readSignedOut(item, phase, moment)
        // A sign-in is newer than all that was stored before it.
        is Phase.SignedIn -> if (phase.first == null) readSignedIn(item, phase, moment)
    }
}

private fun Machine.begin(item: StoredItem, moment: Moment) {
    keep(item.kept)
    when (item) {
        is StoredItem.Record -> restore(item.record, moment)
        StoredItem.Nothing -> stayOut(item.version, null)
        is StoredItem.SignedOut -> stayOut(item.version, item.reason)
        is StoredItem.Lost -> leave(item.version, SignOutReason.STORAGE_LOST, isStored = true)
    }
    makeGood(moment)
}

private fun Machine.readSignedOut(item: StoredItem, out: Phase.SignedOut, moment: Moment) {
    val isNewer = item.version > out.version
    if (isNewer) keep(item.kept)
    when {
        item is StoredItem.Record && isNewer -> restore(item.record, moment)
        // A stored sign-out keeps its reason; one that is not stored yet is written later.
        isNewer -> stayOut(item.version, out.reason)
        else -> answerAll(Answer.Refused(AuthError.SignedOut(out.reason)))
    }
}

private fun Machine.readSignedIn(item: StoredItem, session: Phase.SignedIn, moment: Moment) {
    val known = session.record.version
    val isNewer = item.version > known
    if (isNewer) keep(item.kept)
    when {
        item is StoredItem.Record && isNewer ->
            restore(item.record, moment, if (item.version.epoch == known.epoch) Event.Renewed else Event.Restored)
        item is StoredItem.SignedOut && isNewer ->
            leave(item.version, if (item.reason == SignOutReason.ASKED) SignOutReason.ELSEWHERE else item.reason, isStored = true)
        item is StoredItem.Lost && session.saved == Saved.Yes ->
            leave(StoreVersion(maxOf(item.epoch, known.epoch), 0), SignOutReason.STORAGE_LOST, isStored = true)
        item is StoredItem.Record && session.isResting && item.version == known -> {
            enter(session.copy(record = item.record, isResting = false))
            serveAll(moment)
        }
        item.version < known && session.saved == Saved.Yes -> restoreStore(session, moment)
        else -> confirmed(session, moment)
    }
}

/** Handles a store that could not be read. */
internal fun Machine.unreadable(trouble: StoreTrouble, moment: Moment) {
    val fault = AuthError.StoreUnavailable(trouble)
    when (val phase = state.phase) {
        Phase.Starting, is Phase.Unavailable -> {
            if (phase != Phase.Unavailable(trouble)) emit(Event.StoreFailed(trouble))
            enter(Phase.Unavailable(trouble))
            answerAll(Answer.Refused(fault))
        }
        is Phase.SignedOut -> answerAll(Answer.Refused(fault))
        is Phase.SignedIn -> when (phase.mode) {
            is Mode.Looking, is Mode.Doubting -> postpone(fault, 0.5, moment)
            else -> if (phase.isResting) answerAll(Answer.Refused(fault))
        }
    }
}

/** Handles the end of a write. */
internal fun Machine.written(version: StoreVersion, moment: Moment) {
    if (version != known) return
    when (val phase = state.phase) {
        Phase.Starting, is Phase.Unavailable -> {}
        is Phase.SignedOut -> enter(phase.copy(isStored = true))
        is Phase.SignedIn -> {
            enter(phase.copy(saved = Saved.Yes))
            phase.first?.let { finishSignIn(phase, it, moment) }
            serveAll(moment)
            restInBackground()
        }
    }
}

/** Handles a write that wrote nothing, since the stored item is as new or newer. */
internal fun Machine.found(item: StoredItem, insteadOf: StoreVersion, moment: Moment) {
    // A store that keeps an older item contradicts itself; writing again would not end.
    if (item.version < insteadOf) return unwritten(insteadOf, StoreTrouble.Unwritable, moment)
    if (insteadOf != known) return
    when (val phase = state.phase) {
        Phase.Starting, is Phase.Unavailable -> {}
        is Phase.SignedOut -> {
            enter(phase.copy(isStored = true))
            readSignedOut(item, phase, moment)
        }
        is Phase.SignedIn -> when {
            phase.first != null -> {
                // Another process has signed in or out at the same moment. The later sign-in wins.
                val epoch = maxOf(item.version.epoch, phase.record.version.epoch) + 1
                val record = phase.record.copy(version = StoreVersion(epoch, 1))
                keep(item.kept)
                enter(phase.copy(record = record))
                write(record)
            }
            // Two processes have renewed at once and got the same successor.
            item is StoredItem.Record && item.version == phase.record.version -> written(item.version, moment)
            else -> readSignedIn(item, phase, moment)
        }
    }
}

/** Handles a failed write. */
internal fun Machine.unwritten(version: StoreVersion, trouble: StoreTrouble, moment: Moment) {
    if (version != known) return
    when (val phase = state.phase) {
        Phase.Starting, is Phase.Unavailable -> return
        is Phase.SignedOut -> enter(phase.copy(isStored = false))
        is Phase.SignedIn -> {
            phase.first?.let { return undoSignIn(phase, it, trouble) }
            enter(phase.copy(saved = Saved.No))
            settle(AuthError.StoreUnavailable(trouble), moment)
        }
    }
    emit(Event.StoreFailed(trouble))
}

private fun Machine.stayOut(version: StoreVersion, reason: SignOutReason?) {
    enter(Phase.SignedOut(version, reason, isStored = true))
    answerAll(Answer.Refused(AuthError.SignedOut(reason)))
}

/** Goes on with a record of the store: that of the last start, or of another process, which was faster. */
private fun Machine.restore(record: SessionRecord, moment: Moment, event: Event = Event.Restored) {
    enter(storedSession(record, moment))
    emit(event)
    serveAll(moment)
}

/** Writes again what the store has lost. A renewal waits until the next attempt. */
private fun Machine.restoreStore(session: Phase.SignedIn, moment: Moment) {
    save(session.copy(isResting = false))
    if (session.isRenewing) postpone(AuthError.StoreUnavailable(StoreTrouble.Unreadable), 0.5, moment)
}

/**
 * Returns the session of a record that was found in the store.
 *
 * Only the date tells how old the access token is. A date before the record's own says nothing, so the token is renewed
 * once; the new record then has the present date.
 */
private fun storedSession(record: SessionRecord, moment: Moment): Phase.SignedIn {
    val age = moment.wall - record.issuedAt
    // Neither date is negative, so the difference does not overflow.
    val isUnknown = record.issuedAt < 0 || moment.wall < 0 || age < -MachineRules.CLOCK_TOLERANCE
    val since: Duration = maxOf(0, age).seconds
    return Phase.SignedIn(
        record,
        deadline = if (isUnknown || record.accessToken == null) moment.now else moment.now + record.life - since,
        saved = Saved.Yes,
        lastRotation = if (isUnknown || record.version.generation <= 1) null else moment.now - since, isHurried = true,
    )
}
