package latchkey.auth

import kotlinx.coroutines.Deferred

/**
 * Makes two calls with one proof one call: a double tap, or a link that the system delivers twice. A proof that has opened the
 * present session is not sent again, since the server refuses it once the session is renewed.
 */
internal class Once(private val engine: Engine) {
    private class Attempt(val result: Deferred<SignIn>) {
        var callers = 0
    }

    private val underWay = HashMap<String, Attempt>()

    /** Runs a sign-in, unless one with the same proof is under way or has opened the present session. */
    suspend fun run(proof: String, signIn: suspend () -> SignIn): SignIn {
        val attempt = synchronized(underWay) {
            underWay.getOrPut(proof) { Attempt(engine.begin { known(proof) ?: signIn() }) }.also { it.callers++ }
        }
        try {
            return attempt.result.await()
        } finally {
            synchronized(underWay) {
                if (--attempt.callers == 0) {
                    underWay.remove(proof)
                    attempt.result.cancel()
                }
            }
        }
    }

    /** Returns the session that a proof has opened and stored, or `null`. */
    private suspend fun known(proof: String): SignIn? {
        engine.ready()
        val record = engine.session?.takeIf { it.first == null }?.record
        if (record?.proof != proof) return null
        val user = record.user ?: User(mapOf("id" to record.userId))
        return SignIn(user, record.isNewUser, wasRestored = false)
    }
}
