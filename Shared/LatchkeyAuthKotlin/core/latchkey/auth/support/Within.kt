package latchkey.auth.support

import kotlin.time.Duration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.launch
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.DeviceClock

/**
 * Runs work beside the caller, and stops waiting for it at a limit: something of an app or a device may not notice that it was
 * interrupted, or may never end. Throws [AuthError.TimedOut] then.
 */
internal suspend fun <T> CoroutineScope.within(clock: DeviceClock, limit: Duration?, work: suspend () -> T): T {
    val result = CompletableDeferred<T>()
    val end = limit?.let { clock.now + it }
    val working = launch { result.finish(work) }
    // Cancelled, or not even begun after the end of the scope.
    working.invokeOnCompletion { cause -> cause?.let { result.completeExceptionally(it) } }
    val timing = end?.let {
        launch {
            clock.sleepUntil(it)
            result.completeExceptionally(AuthException(AuthError.TimedOut))
        }
    }
    try {
        return result.await()
    } finally {
        working.cancel()
        timing?.cancel()
    }
}

private suspend fun <T> CompletableDeferred<T>.finish(work: suspend () -> T) {
    try {
        complete(work())
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (failure: Exception) {
        completeExceptionally(failure)
    }
}
