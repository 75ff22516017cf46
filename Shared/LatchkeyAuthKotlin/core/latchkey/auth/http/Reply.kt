package latchkey.auth.http

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.CodeRefusal
import latchkey.auth.HttpResponse
import latchkey.auth.MergeToken
import latchkey.auth.MfaToken
import latchkey.auth.RateLimit
import latchkey.auth.RestoreToken
import latchkey.auth.dateOfSeconds
import latchkey.auth.support.Json

/** An objection to the session with which a request was sent. */
internal enum class Objection {
    /** The access token is refused. */
    TOKEN,

    /** The account is not active. */
    INACTIVE,

    /** The user has to show again who they are. */
    RECENCY,
}

/** A response of the server, or of something that stands between. One that is not its own comes from an app's API. */
internal class Reply(val response: HttpResponse, private val isOwn: Boolean = false) {
    val status: Int get() = response.status

    /** The body, if it is a JSON object. */
    val json: Map<String, Any?>? by lazy(LazyThreadSafetyMode.NONE) { Json.members(response.body) }
    val requestId: String? get() = response.header("X-Request-Id")?.let(::word)
    val entityTag: String? get() = response.header("ETag")

    /** The stable code of an error: that of a challenge for a more recent authentication, `code`, or else `error`. */
    val code: String?
        get() = INSUFFICIENT.takeIf { response.header("WWW-Authenticate")?.contains("error=\"$it\"") == true }
            ?: (json?.get("code") as? String)?.let(::word) ?: (json?.get("error") as? String)?.let(::word)

    /** Its objection to the session. The server's own 401 with another code than those of tokens is about a proof. */
    val objection: Objection?
        get() = when {
            isInactive -> Objection.INACTIVE
            status == 403 && code == REQUIRED || status == 401 && code == INSUFFICIENT -> Objection.RECENCY
            status == 401 && (!isOwn || code in OF_THE_TOKEN) -> Objection.TOKEN
            else -> null
        }

    /** Why the server has refused a refresh token: `expired`, `superseded` and so on. Older servers do not say it. */
    val reason: String? get() = json?.get("reason") as? String

    /** Returns the JSON of a good response. */
    fun success(): Map<String, Any?> {
        if (status == 204) return emptyMap()
        // 202: it is done later.
        if (status !in 200..202) throw AuthException(error)
        return json ?: throw AuthException(AuthError.NotLatchkey)
    }

    /** Whether it says that the user's account is not active. A firewall or an API may say so as well. */
    val isInactive: Boolean get() = status == 403 && code == INACTIVE

    /** Whether the path does not exist. */
    val isMissing: Boolean get() = status == 404 && code == "not_found"

    fun refused(code: String): AuthError.Refused = AuthError.Refused(status, code, requestId)

    /** The error that a bad response stands for. */
    val error: AuthError
        get() = when (status) {
            429 -> AuthError.RateLimited(retryAfter ?: 30.seconds, RateLimit.entries.firstOrNull { it.word == json?.get("limit") })
            in 500..599 -> AuthError.Unavailable(retryAfter)
            in 400..499 -> code?.let(::refusal) ?: if (isCodeRefusal) AuthError.CodeRefused(null) else AuthError.NotLatchkey
            else -> AuthError.NotLatchkey
        }

    /** Whether it is the response to a wrong code, which has a sentence in place of a code. */
    private val isCodeRefusal: Boolean
        get() = status == 401 && json?.get("success") == false && json?.get("error") is String

    private fun refusal(code: String): AuthError = when (code) {
        "invalid_code" -> AuthError.CodeRefused(CodeRefusal.WRONG)
        "code_expired" -> AuthError.CodeRefused(CodeRefusal.EXPIRED)
        "invalid_link", "invalid_sign_in" -> AuthError.CodeRefused(null)
        "invalid_credentials", "wrong_password" -> AuthError.PasswordRefused
        INACTIVE -> AuthError.AccountInactive
        "not_invited" -> AuthError.NotInvited
        "deletion_scheduled" -> AuthError.DeletionScheduled((json?.get("restoreToken") as? String)?.let(::RestoreToken))
        REQUIRED, INSUFFICIENT -> AuthError.ReauthenticationRequired
        "reauthentication_failed" -> AuthError.ReauthenticationFailed
        "identity_in_use" -> AuthError.IdentityInUse((json?.get("mergeToken") as? String)?.let(::MergeToken))
        "identity_changed" -> AuthError.IdentityChanged
        "last_identity" -> AuthError.LastIdentity
        "phone_change_pending" -> AuthError.PhoneChangePending((json?.get("movesAt") as? Long)?.let(::dateOfSeconds))
        "second_identity_required" -> AuthError.SecondIdentityRequired(methods)
        "merge_proof_required" -> AuthError.MergeProofRequired(methods)
        "passkey_refused", "passkey_invalid" -> AuthError.PasskeyRefused
        "too_many_passkeys" -> AuthError.TooManyPasskeys
        "passkey_exists" -> AuthError.PasskeyExists
        "second_factor_required" ->
            (json?.get("mfaToken") as? String)?.let { AuthError.SecondFactorRequired(MfaToken(it), methods) } ?: refused(code)
        "second_factor_refused" -> AuthError.SecondFactorRefused
        "account_under_review" -> AuthError.AccountUnderReview
        "invalid_phone", "blocked_country" -> AuthError.Invalid("phoneNumber", code)
        "invalid_email", "undeliverable_email" -> AuthError.Invalid("email", code)
        "weak_password" -> AuthError.Invalid("password", code)
        "unsupported_channel" -> AuthError.Invalid("channel", code)
        else -> invalidMember(code)?.let { AuthError.Invalid(it, code) } ?: refused(code)
    }

    private val methods: List<String> get() = (json?.get("methods") as? List<*>).orEmpty().filterIsInstance<String>()

    /** The member of the request that the title of the response names. */
    private fun invalidMember(code: String): String? =
        (json?.get("title") as? String)?.takeIf { code == "invalid_request" }?.let { MEMBER.find(it)?.groupValues?.get(1) }

    private val retryAfter: Duration?
        get() {
            val seconds = response.header("Retry-After")?.toLongOrNull() ?: json?.get("retryAfter") as? Long
            return seconds?.takeIf { it in 0..Int.MAX_VALUE.toLong() }?.seconds
        }

    internal companion object {
        const val INACTIVE = "account_inactive"
        private const val REQUIRED = "reauthentication_required"

        /** The code of RFC 9470: the user showed too long ago who they are. */
        private const val INSUFFICIENT = "insufficient_user_authentication"
        private val OF_THE_TOKEN = setOf(null, "invalid_token", "missing_token", "token_expired")
        private val MEMBER = Regex("'([A-Za-z0-9_]+)' is (not valid|missing)$")

        /** Returns a text that is safe to log: at most 64 letters, digits and `_ - .`. */
        fun word(text: String): String? = text.takeIf {
            it.length in 1..64 && it.all { c -> c in 'a'..'z' || c in 'A'..'Z' || c in '0'..'9' || c in "_-." }
        }
    }
}
