package latchkey.auth.machine

import kotlin.math.max
import kotlin.math.min
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import latchkey.auth.Event
import latchkey.auth.SignOutReason
import latchkey.auth.StoreVersion
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.StoredItem

/**
 * The machine that keeps a session: what it knows, and what follows from an event.
 *
 * It is pure: no input or output, no clock, no randomness. The same events always lead to the same actions, so the rows in
 * `Tests/Clients/machine` bind this machine and those of the other languages. The engine performs the actions.
 */
internal class Machine private constructor(var state: MachineState, val early: Duration) {
    val actions: MutableList<MachineAction> = ArrayList()

    /** The session, if there is one. */
    val session: Phase.SignedIn? get() = state.phase as? Phase.SignedIn

    /** The version of what is known: of the session, or of the sign-out. */
    val known: StoreVersion
        get() = when (val phase = state.phase) {
            Phase.Starting, is Phase.Unavailable -> StoreVersion(0, 0)
            is Phase.SignedOut -> phase.version
            is Phase.SignedIn -> phase.record.version
        }

    fun act(action: MachineAction) {
        actions.add(action)
    }

    fun emit(event: Event) = act(MachineAction.Emit(event))

    fun reply(caller: Int, answer: Answer) = act(MachineAction.Reply(caller, answer))

    fun enter(phase: Phase) {
        state = state.copy(phase = phase)
    }

    /** Answers all callers that wait. */
    fun answerAll(answer: Answer) {
        for (waiter in state.waiters) reply(waiter.caller, answer)
        state = state.copy(waiters = emptyList())
    }

    /** Answers several callers. */
    fun replyEach(callers: List<Int>?, answer: Answer) = callers?.forEach { reply(it, answer) }

    /** Writes the session's record again. */
    fun save(session: Phase.SignedIn) {
        enter(session.copy(saved = Saved.Saving))
        write(session.record)
    }

    fun write(record: SessionRecord) = act(MachineAction.Write(StoredItem.Record(record, state.kept)))

    fun writeSignOut(version: StoreVersion, reason: SignOutReason?) =
        act(MachineAction.Write(StoredItem.SignedOut(version, reason ?: SignOutReason.ENDED, state.kept)))

    /** Writes the sign-out again if that has failed before. */
    fun saveSignOut() {
        val out = state.phase as? Phase.SignedOut ?: return
        if (!out.isStored) writeSignOut(out.version, out.reason)
    }

    private fun handle(event: MachineEvent): Unit = when (event) {
        is MachineEvent.Read -> read(event.item, event.moment)
        is MachineEvent.Unreadable -> unreadable(event.trouble, event.moment)
        is MachineEvent.Written -> written(event.version, event.moment)
        is MachineEvent.Found -> found(event.item, event.insteadOf, event.moment)
        is MachineEvent.Unwritten -> unwritten(event.version, event.trouble, event.moment)
        is MachineEvent.Wanted -> serve(Waiter(event.caller, event.validFor), event.moment)
        is MachineEvent.RefusedByApi -> refusedByApi(event.caller, event.token, event.moment)
        is MachineEvent.Cancelled -> cancelled(event.caller)
        is MachineEvent.SignedIn -> signedIn(event)
        is MachineEvent.SignOutAsked -> signOutAsked(event.caller, event.scope, event.moment)
        is MachineEvent.SignOutConfirmed -> letGo { it.since != event.kept.since }
        is MachineEvent.Over -> end(event.reason)
        MachineEvent.Outdated -> outdated()
        is MachineEvent.UserChanged -> userChanged(event.user)
        is MachineEvent.Rotated -> rotated(event.version, event.tokens, event.moment)
        is MachineEvent.Failed -> failed(event.version, event.error, event.jitter, event.moment)
        is MachineEvent.Refused -> refused(event.version, event.verdict, event.jitter)
        is MachineEvent.Changed -> changed(event.change, event.jitter, event.moment)
        is MachineEvent.Woke -> woke(event.moment)
    }

    companion object {
        /** Returns the state after an event, and what to do. */
        fun step(
            state: MachineState, event: MachineEvent, early: Duration = MachineRules.EARLY,
        ): Pair<MachineState, List<MachineAction>> {
            val machine = Machine(state, early)
            machine.handle(event)
            return machine.state to machine.actions
        }

        /** Returns the access token if it is fresh, which is all that nearly every call needs. */
        fun freshToken(state: MachineState, validFor: Duration, now: Duration, early: Duration): String? {
            val session = state.phase as? Phase.SignedIn ?: return null
            return session.freshToken(maxOf(session.record.early(early), validFor), now)
        }
    }
}

/** The machine's times. */
internal object MachineRules {
    /** The time before the end of an access token at which it is renewed, unless the app says otherwise. */
    val EARLY: Duration = 300.seconds

    /** A token with less than this left is not given away while a newer one can be had. */
    val USABLE: Duration = 30.seconds

    /**
     * The time between two renewals of a session, by any process. The server's rule for late copies relies on it: a request
     * lives for 20 seconds, so no request is older than one renewal.
     */
    val SPACING: Duration = 30.seconds

    /** A date that lies this many seconds before the record's own says that the clock was set back. */
    const val CLOCK_TOLERANCE: Long = 60

    /** The seconds for which a sign-out is kept that the server has not confirmed: 30 days. */
    const val KEPT_FOR: Long = 2_592_000

    /** The number of sign-outs that are kept. A few are enough: each was made by a user. */
    const val KEPT_MAX: Int = 3

    /** The longest delay after a return to the foreground, so that not all apps renew at the same moment. */
    val WAKE_MAX: Duration = 3.seconds

    /** The longest wait after failures in seconds, unless the server asks for more. */
    private const val WAIT_MAX = 60.0

    /** The longest wait in seconds that a server can ask for. */
    private const val RETRY_AFTER_MAX = 3600.0

    /** The wait after failures in a row. The jitter, 0 to 1, spreads it by a fifth to both sides. */
    fun wait(tries: Int, retryAfter: Duration?, jitter: Double): Duration {
        val growing = min(WAIT_MAX, (1 shl min(tries, 10)).toDouble()) * (0.8 + 0.4 * jitter)
        return max(growing, min(RETRY_AFTER_MAX, retryAfter?.toDouble(DurationUnit.SECONDS) ?: 0.0)).seconds
    }
}
