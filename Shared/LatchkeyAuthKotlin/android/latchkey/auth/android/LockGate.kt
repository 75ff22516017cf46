package latchkey.auth.android

import android.app.Activity
import android.content.DialogInterface
import android.hardware.biometrics.BiometricPrompt
import android.os.Build
import android.os.CancellationSignal
import kotlin.coroutines.resume
import kotlin.time.Duration
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import latchkey.auth.Change
import latchkey.auth.DeviceClock
import latchkey.auth.Surroundings

/**
 * A lock in front of the app's screens, after the app was in the background for a while.
 *
 * It stands beside the session: a cancelled prompt leaves the app locked and the user signed in, and a new fingerprint changes
 * nothing. Show a lock screen while [isLocked], whose button calls [unlock].
 *
 * @param after the time in the background after which the app is locked.
 * @param confirm asks the user, such as by [confirmByBiometrics]. Returns whether they have confirmed.
 */
public class LockGate(
    scope: CoroutineScope, surroundings: Surroundings, private val clock: DeviceClock, private val after: Duration,
    private val confirm: suspend () -> Boolean,
) {
    private val locked = MutableStateFlow(true)
    private var leftAt: Duration? = null

    /** Whether the app is locked. It is at the start of the process. */
    public val isLocked: StateFlow<Boolean> = locked.asStateFlow()

    init {
        scope.launch { surroundings.changes.collect { changed(it) } }
    }

    /** Asks the user. Returns whether the app is unlocked. */
    public suspend fun unlock(): Boolean {
        if (locked.value && confirm()) locked.value = false
        return !locked.value
    }

    private fun changed(change: Change) {
        if (change == Change.BACKGROUND) leftAt = clock.now
        if (change == Change.FOREGROUND) {
            val left = leftAt
            if (left != null && clock.now - left >= after) locked.value = true
            leftAt = null
        }
    }
}

/**
 * Asks the user for a fingerprint or their face, by the platform's own dialog. Returns whether they have confirmed.
 *
 * The dialog exists from API level 28 on. Before that the result is `false`: pass a `confirm` of your own to [LockGate].
 */
public suspend fun confirmByBiometrics(activity: Activity, title: String, cancel: String): Boolean {
    if (Build.VERSION.SDK_INT < 28) return false
    return suspendCancellableCoroutine { waiting ->
        val signal = CancellationSignal()
        val finish = { isConfirmed: Boolean -> if (waiting.isActive) waiting.resume(isConfirmed) }
        val callback = object : BiometricPrompt.AuthenticationCallback() {
            override fun onAuthenticationSucceeded(result: BiometricPrompt.AuthenticationResult) = finish(true)

            override fun onAuthenticationError(code: Int, message: CharSequence) = finish(false)
        }
        val executor = activity.mainExecutor
        val dismissed = DialogInterface.OnClickListener { _, _ -> finish(false) }
        BiometricPrompt.Builder(activity).setTitle(title).setNegativeButton(cancel, executor, dismissed).build()
            .authenticate(signal, executor, callback)
        waiting.invokeOnCancellation { signal.cancel() }
    }
}
