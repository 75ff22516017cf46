package latchkey.auth

import kotlinx.coroutines.ExperimentalForInheritanceCoroutinesApi
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import latchkey.auth.machine.Mode
import latchkey.auth.machine.Phase

/**
 * The state as the app sees it. Its value is always the present one; collectors run after the machine has moved, never
 * within it, whatever their dispatcher.
 */
@OptIn(ExperimentalForInheritanceCoroutinesApi::class)
internal class ShownState : StateFlow<State> {
    private val delivered = MutableStateFlow<State>(State.Starting)

    @Volatile
    override var value: State = State.Starting
        private set

    override val replayCache: List<State> get() = listOf(value)

    override suspend fun collect(collector: FlowCollector<State>): Nothing = delivered.collect(collector)

    /** Sets the value. Returns whether it is another one. */
    fun set(state: State): Boolean = (state != value).also { value = state }

    fun deliver(state: State) {
        delivered.value = state
    }
}

/** Returns the machine's knowledge as an app sees it. */
internal fun stateOf(phase: Phase): State = when (phase) {
    Phase.Starting -> State.Starting
    is Phase.Unavailable -> State.Unavailable(phase.trouble)
    is Phase.SignedOut -> State.SignedOut(phase.reason)
    is Phase.SignedIn -> State.SignedIn(Session(phase.record.userId, freshness(phase.mode)))
}

private fun freshness(mode: Mode): Freshness = when (mode) {
    Mode.Idle -> Freshness.Fresh
    is Mode.Looking, is Mode.Flying, is Mode.Doubting -> Freshness.Renewing
    is Mode.Waiting -> Freshness.Overdue(mode.fault)
}
