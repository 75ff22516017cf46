package latchkey.auth

/**
 * Makes two calls with one proof one call: a double tap, or a link that the system delivers twice. A proof that has opened the
 * present session is not sent again, since the server refuses it once the session is renewed.
 */
internal class Once(private val engine: Engine) {
    private val flights = Flights<SignIn>(engine)

    /** Runs a sign-in, unless one with the same proof is under way or has opened the present session. */
    suspend fun run(proof: String, signIn: suspend () -> SignIn): SignIn = flights.run(proof) { known(proof) ?: signIn() }

    /** Returns the session that a proof has opened and stored, or `null`. */
    private suspend fun known(proof: String): SignIn? {
        engine.ready()
        val record = engine.session?.takeIf { it.first == null }?.record
        if (record?.proof != proof) return null
        val user = record.user ?: User(mapOf("id" to record.userId))
        return SignIn(user, record.isNewUser, wasRestored = false)
    }
}
