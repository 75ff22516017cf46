package latchkey.auth

import latchkey.auth.http.Call
import latchkey.auth.http.Renewal
import latchkey.auth.http.renew
import latchkey.auth.machine.Verdict

/**
 * Takes over the tokens that the app has kept itself so far. Erase them once this returns, or throws an error that does not keep
 * the session; after every other error call it again.
 *
 * The refresh token is renewed. The key of that request derives from the token, so a repeat after a lost response, or after the
 * end of the app, gets the same successor. While a user is signed in, nothing is taken over, and the result is `null`.
 */
public suspend fun LatchkeyAuth.takeOver(refreshToken: String): SignIn? {
    engine.ready()
    when (val state = state.value) {
        is State.Unavailable -> throw AuthException(AuthError.StoreUnavailable(state.trouble))
        is State.SignedIn -> return null
        State.Starting, is State.SignedOut -> {}
    }
    val proof = keyOf("take over", refreshToken)
    return once.run(proof) {
        val tokens = when (val renewal = engine.api.renew(refreshToken, proof)) {
            is Renewal.Rotated -> renewal.tokens
            is Renewal.Failed -> throw AuthException(renewal.error)
            is Renewal.Refused -> throw AuthException(errorOf(renewal.verdict))
        }
        val user = engine.api.send(Call("GET", "/users/me"), tokens.accessToken).success()
        val members = mapOf(
            "accessToken" to tokens.accessToken, "refreshToken" to tokens.refreshToken, "expiresIn" to tokens.expiresIn,
        )
        begin(mapOf("user" to user, "tokens" to members), proof)
    }
}

private fun errorOf(verdict: Verdict): AuthError = when (verdict) {
    Verdict.Superseded -> AuthError.Unavailable(null)
    is Verdict.Ended ->
        if (verdict.reason == SignOutReason.INACTIVE) AuthError.AccountInactive else AuthError.SignedOut(verdict.reason)
}
