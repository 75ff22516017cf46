package latchkey.auth.http

import kotlin.time.Duration.Companion.seconds
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.SignOutReason
import latchkey.auth.SignOutScope
import latchkey.auth.machine.Verdict
import latchkey.auth.record.KeptSignOut
import latchkey.auth.record.Tokens

/** The outcome of a renewal. */
internal sealed interface Renewal {
    data class Rotated(val tokens: Tokens) : Renewal
    data class Refused(val verdict: Verdict) : Renewal

    /** The response says nothing about the session. */
    data class Failed(val error: AuthError) : Renewal
}

/** Sends `POST /auth/refresh`. */
internal suspend fun Api.renew(refreshToken: String, key: String): Renewal {
    val body = mapOf("refreshToken" to refreshToken)
    return try {
        outcome(send(Call("POST", "/auth/refresh", body = body, idempotencyKey = key)))
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
        reply.isInactive -> Renewal.Refused(Verdict.Ended(SignOutReason.INACTIVE))
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
internal suspend fun Api.endOnServer(signOut: KeptSignOut): Boolean = try {
    val body = signOut.members - listOf("accessToken", "since", "origin")
    val reply = send(Call("POST", "/auth/logout", body = body, limit = 10.seconds), signOut.accessToken)
    val isOver = reply.status == 401 && reply.code != null
    // A token that has ended ends its own session only.
    val isNarrower = isOver && signOut.accessToken != null && signOut.scope == SignOutScope.ALL
    val isConfirmed = isOver || reply.status == 200 && reply.json != null
    if (isNarrower) endOnServer(signOut.copy(scope = SignOutScope.THIS_SESSION)) else isConfirmed
} catch (_: AuthException) {
    false
}
