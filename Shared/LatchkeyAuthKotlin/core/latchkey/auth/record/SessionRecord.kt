package latchkey.auth.record

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import latchkey.auth.StoreVersion
import latchkey.auth.User
import latchkey.auth.support.Base64Url
import latchkey.auth.support.Digests

/** A session as it is stored: the tokens, and what is needed to renew them after any crash. */
internal data class SessionRecord(
    /** The base URL. The tokens are never sent anywhere else. */
    val origin: String,
    val version: StoreVersion,
    /** 32 random bytes in base64url, made at the sign-in. Keys of renewals derive from it. */
    val secret: String,
    val refreshToken: String,
    /** `null` where it is not kept, such as in the background. */
    val accessToken: String?,
    /** The date at which the access token arrived, in Unix seconds of the device. */
    val issuedAt: Long,
    /** The lifetime of the access token in seconds. */
    val expiresIn: Long,
    val userId: String,
    val user: User? = null,
    /** The key of the proof that opened the session, so that a repeat of it needs no request. */
    val proof: String? = null,
    /** Whether the sign-in created the account. */
    val isNewUser: Boolean = false,
    /** The version of the format in which the record was read. */
    val format: Long = 1,
    /** Members that a later release added. They are kept. */
    val others: Map<String, Any?> = emptyMap(),
) {
    val life: Duration get() = expiresIn.seconds

    /**
     * The Idempotency-Key of a renewal with this record's refresh token.
     *
     * It derives from the session's secret and the token, so every process and every restart sends the same key for the
     * same token, without storing it. The server answers a repeat with the same successor, and takes it for no theft.
     */
    val renewalKey: String
        get() = Base64Url.encode(Digests.hmac(Base64Url.decode(secret) ?: ByteArray(0), refreshToken))

    /** Returns the time before the end of an access token at which it is renewed: at most a fifth of its lifetime. */
    fun early(atMost: Duration): Duration = minOf(atMost, life / 5)

    /** Returns the record after a renewal. */
    fun renewed(tokens: Tokens, wall: Long): SessionRecord = copy(
        version = StoreVersion(version.epoch, version.generation + 1), refreshToken = tokens.refreshToken,
        accessToken = tokens.accessToken, issuedAt = wall, expiresIn = tokens.expiresIn,
    )

    override fun toString(): String = "SessionRecord($userId, $version)"
}

/** The tokens of a response; the lifetime of the access token is in seconds. */
internal data class Tokens(val accessToken: String, val refreshToken: String, val expiresIn: Long) {
    val life: Duration get() = expiresIn.seconds

    override fun toString(): String = "Tokens(‹redacted›)"

    companion object {
        /** The lifetimes of an access token that are believed, in seconds: up to ten years. */
        val LIFETIMES: LongRange = 1L..315_360_000L

        /** Returns the tokens of a response, or `null` if it is not the expected JSON. */
        fun of(json: Any?): Tokens? {
            val members = json as? Map<*, *> ?: return null
            val access = token(members["accessToken"]) ?: return null
            val refresh = token(members["refreshToken"]) ?: return null
            val life = members["expiresIn"] as? Long ?: return null
            return if (life in LIFETIMES) Tokens(access, refresh, life) else null
        }

        /** Returns a text that may be part of a header: visible ASCII. */
        private fun token(value: Any?): String? =
            (value as? String)?.takeIf { it.length in 1..8192 && it.all { c -> c in '!'..'~' } }
    }
}
