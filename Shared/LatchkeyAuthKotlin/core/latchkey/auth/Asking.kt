package latchkey.auth

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred

/** Lets the app's user show again who they are: once for all calls that wait for it. */
internal class Asking(private val engine: Engine) {
    private var part: (suspend () -> Unit)? = null
    private var asked: Deferred<Boolean>? = null

    /** Sets the app's part, which throws if the user does not want to. */
    fun set(part: suspend () -> Unit) = synchronized(this) { this.part = part }

    fun remove(part: suspend () -> Unit) = synchronized(this) { if (this.part === part) this.part = null }

    /** Asks the user of a session, and returns whether they have shown who they are. */
    suspend fun ask(epoch: Long): Boolean = question(epoch)?.await() ?: false

    private fun question(epoch: Long): Deferred<Boolean>? = synchronized(this) {
        val part = part ?: return null
        asked?.takeIf { it.isActive } ?: engine.begin { answer(part, epoch) }.also { asked = it }
    }

    /** Waits for the user, but not longer than the session lasts, also if the app's part goes on. */
    private suspend fun answer(part: suspend () -> Unit, epoch: Long): Boolean {
        val answer = CompletableDeferred<Boolean>()
        val watching = engine.collect { if (it is Event.SignedIn || it is Event.SignedOut) answer.complete(false) }
        if (engine.session?.record?.version?.epoch != epoch) answer.complete(false)
        val asking = engine.begin { if (!answer.isCompleted) part() }
        asking.invokeOnCompletion { answer.complete(it == null) }
        try {
            return answer.await()
        } finally {
            watching.cancel()
            asking.cancel()
        }
    }
}
