package latchkey.auth

import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import latchkey.auth.http.Call

/** The restore key of a device: made after a sign-in, deleted before a sign-out. There is one for each app. */
internal class RestoreKeys(private val auth: LatchkeyAuth, val platform: PasskeyPlatform) {
    /** Held while the device makes or deletes the key. */
    private val device = Mutex()

    /** The epoch of a session that is about to end. */
    @Volatile
    private var leaving: Long? = null

    /** Makes a key after each sign-in from now on. */
    fun follow() {
        auth.engine.collect { if (it is Event.SignedIn) auth.engine.begin { quietly { create() } } }
    }

    /** Makes a key, in place of an earlier one. The user is not asked for anything. */
    suspend fun create() {
        val epoch = auth.epoch ?: throw auth.sessionIsOver()
        val ceremony = Ceremony.of(send(Call("POST", "$OWN_PASSKEYS/options", body = mapOf("kind" to PasskeyKind.RESTORE.word))))
        val proof = device.withLock {
            if (!isPresent(epoch)) throw auth.sessionIsOver()
            val proof = ceremony.proof { auth.engine.limited(LIMIT) { platform.create(it, PasskeyKind.RESTORE) } }
            // A sign-out that came meanwhile has deleted nothing, or waits no more.
            if (!isPresent(epoch)) {
                auth.engine.limited(CLEAR_LIMIT) { platform.clearRestoreKey() }
                throw auth.sessionIsOver()
            }
            proof
        }
        againIfOffline { send(Call("POST", OWN_PASSKEYS, body = proof, idempotencyKey = ceremony.key)) }
    }

    /** Deletes the key. A failure is made good by [signInWithRestoreKey] at a later start. */
    suspend fun clear() {
        leaving = auth.epoch
        quietly { auth.engine.limited(CLEAR_LIMIT) { device.withLock { platform.clearRestoreKey() } } }
    }

    private fun isPresent(epoch: Long) = auth.epoch == epoch && leaving != epoch

    /** Sends a request, which no question to the user precedes. */
    private suspend fun send(call: Call): Map<String, Any?> = auth.engine.api.send(call, auth.accessToken()).success()

    companion object {
        val LIMIT = 10.seconds
        private val CLEAR_LIMIT = 3.seconds
    }
}

/**
 * Makes a restore key on a device where the user is signed in. The library does so after each sign-in; call it after a change that
 * invalidates earlier keys and keeps the session, such as a sign-out of all other devices. The server wants a recent sign-in.
 */
public suspend fun LatchkeyAuth.createRestoreKey() {
    val keys = restoreKeys ?: throw AuthException(AuthError.MethodNotOffered)
    keys.create()
}

/**
 * Signs in by the restore key that came with the app's data from the user's earlier phone. Call it at the start of the app, before you
 * show a sign-in screen. Nothing is shown.
 *
 * Returns `null` if there is no such key, if the server does not accept it any more, or if a user has signed out here: a
 * sign-out is never undone.
 */
public suspend fun LatchkeyAuth.signInWithRestoreKey(): SignIn? {
    val keys = restoreKeys ?: return null
    engine.ready()
    when (val state = state.value) {
        is State.Unavailable -> throw AuthException(AuthError.StoreUnavailable(state.trouble))
        State.Starting, is State.SignedIn -> return null
        is State.SignedOut -> if (!mayRestore(state.reason)) {
            // What the sign-out could not delete.
            keys.clear()
            return null
        }
    }
    return try {
        once.run("restore key") { restored(keys.platform) }
    } catch (failure: AuthException) {
        when (failure.error) {
            AuthError.PasskeyRefused -> null.also { keys.clear() }
            AuthError.NoPasskey -> null
            else -> throw failure
        }
    }
}

/** Whether a session that ended like this may come back: a new phone or installation has none, or one that it cannot read. */
private fun mayRestore(reason: SignOutReason?) =
    reason == null || reason == SignOutReason.STORAGE_LOST || reason == SignOutReason.NEW_INSTALLATION

private suspend fun LatchkeyAuth.restored(platform: PasskeyPlatform): SignIn {
    val ceremony = Ceremony.of(post("/auth/passkeys/options", emptyMap(), key = null))
    val proof = ceremony.proof { engine.limited(RestoreKeys.LIMIT) { platform.get(it, PasskeyKind.RESTORE) } }
    // The user may have signed in meanwhile.
    if (engine.session != null) throw AuthException(AuthError.Cancelled)
    return redeem("/auth/passkeys/verify", proof, ceremony.key)
}
