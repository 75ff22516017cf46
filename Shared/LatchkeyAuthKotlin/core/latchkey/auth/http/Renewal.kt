package latchkey.auth.http

import kotlin.time.Duration.Companion.seconds
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.SignOutReason
import latchkey.auth.SignOutScope
import latchkey.auth.machine.Verdict
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.Tokens

/** The outcome of a renewal. */
internal sealed interface Renewal {
    data class Rotated(val tokens: Tokens) : Renewal
    data class Refused(val verdict: Verdict) : Renewal

    /** The response says nothing about the session. */
    data class Failed(val error: AuthError) : Renewal
}

/** Sends `POST /auth/refresh`. */
internal suspend fun Api.renew(record: SessionRecord): Renewal {
    val body = mapOf("refreshToken" to record.refreshToken)
    return try {
        outcome(send(Call("POST", "/auth/refresh", body = body, idempotencyKey = record.renewalKey)))
    } catch (failure: AuthException) {
        Renewal.Failed(failure.error)
    }
}

/**
 * Returns what the response to a renewal means for the session.
 *
 * Only two responses end a session: 401 with the code `invalid_refresh_token`, and 403 with `account_inactive`. A firewall
 * or a portal answers 401 and 403 as well.
 */
internal fun outcome(reply: Reply): Renewal {
    val code = reply.code
    return when {
        reply.status == 200 -> Tokens.of(reply.json)?.let { Renewal.Rotated(it) } ?: Renewal.Failed(AuthError.NotLatchkey)
        reply.status == 401 && code == "invalid_refresh_token" -> Renewal.Refused(verdict(reply.reason))
        reply.status == 403 && code == "account_inactive" -> Renewal.Refused(Verdict.Ended(SignOutReason.INACTIVE))
        else -> Renewal.Failed(reply.error)
    }
}

private fun verdict(reason: String?): Verdict = when (reason) {
    "superseded" -> Verdict.Superseded
    "expired" -> Verdict.Ended(SignOutReason.EXPIRED)
    "reused" -> Verdict.Ended(SignOutReason.REUSED)
    "deleted" -> Verdict.Ended(SignOutReason.DELETED)
    else -> Verdict.Ended(SignOutReason.ENDED)
}

/**
 * Tells the server that a session has ended. Returns whether the server has confirmed it within 10 seconds; a session that
 * the server does not know any more counts as ended.
 */
internal suspend fun Api.signOut(refreshToken: String, scope: SignOutScope): Boolean {
    val all = if (scope == SignOutScope.ALL) mapOf("scope" to scope.word) else emptyMap()
    val call = Call("POST", "/auth/logout", body = mapOf("refreshToken" to refreshToken) + all, limit = 10.seconds)
    return try {
        val reply = send(call)
        reply.status == 200 && reply.json != null || reply.status == 401 && reply.code != null
    } catch (_: AuthException) {
        false
    }
}
