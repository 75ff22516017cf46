package latchkey.auth

import latchkey.auth.support.Base64Url
import latchkey.auth.support.Digests
import latchkey.auth.support.Json

/**
 * A code that is requested, and that the user has not typed yet.
 *
 * Keep its text ([encode]) while the user reads the message, since the system may end the app meanwhile. It holds the phone
 * number or email address and a secret, so keep it where you would keep those, such as `onSaveInstanceState`.
 */
public class PendingCode internal constructor(
    /** The phone number that the code is sent to, as the user has typed it; `null` for a mail. */
    public val phone: String?,
    /** The email address that the code is sent to; `null` for a phone. */
    public val email: String?,
    internal val region: String?,
    /** The way in which the code reaches the phone. */
    public val channel: Channel,
    /** The language of the message, as a tag of RFC 5646. */
    internal val locale: String?,
    /** Random; the keys of requests and attempts and the link's verifier derive from it. */
    internal val secret: String = Digests.token(),
) {
    /** The Idempotency-Key of the request, so that a repeat after a lost response sends no second message. */
    internal val requestKey: String get() = key("request")

    /** The Idempotency-Key of a sign-in by this code, so that a repeat counts as one guess and opens one session. */
    internal fun attemptKey(code: String): String = key("code $code")

    private fun key(attempt: String): String = Base64Url.encode(Digests.hmac(secret.encodeToByteArray(), attempt))

    /** The verifier that opens the link in a mail (RFC 7636 section 4.1). Only this device has it. */
    internal val verifier: String get() = secret

    /** The challenge that is sent with the request for a mail (RFC 7636 section 4.2). */
    internal val challenge: String get() = Base64Url.encode(Digests.sha256(verifier))

    /** The receiver, as members of a request. */
    internal val receiver: Map<String, Any?>
        get() = if (email != null) mapOf("email" to email) else mapOf("phoneNumber" to phone, "countryCode" to region)

    internal fun with(channel: Channel): PendingCode = PendingCode(phone, email, region, channel, locale)

    /** Returns the pending code as text, for [decode]. */
    public fun encode(): String = Json.encode(
        mapOf(
            "phone" to phone, "email" to email, "region" to region, "channel" to channel.word, "locale" to locale,
            "secret" to secret,
        ),
    ).decodeToString()

    override fun equals(other: Any?): Boolean = other is PendingCode && encode() == other.encode()

    override fun hashCode(): Int = secret.hashCode()

    override fun toString(): String = "PendingCode(‹redacted›)"

    public companion object {
        /** Returns the pending code of a text from [encode], or `null` if it is damaged. */
        @JvmStatic
        public fun decode(text: String): PendingCode? {
            val members = Json.members(text.encodeToByteArray()) ?: return null
            val (phone, email) = members["phone"] as? String to members["email"] as? String
            val channel = Channel.entries.firstOrNull { it.word == members["channel"] } ?: return null
            val secret = members["secret"] as? String ?: return null
            if ((phone == null) == (email == null) || secret.isEmpty()) return null
            return PendingCode(
                phone, email, members["region"] as? String, channel, members["locale"] as? String, secret,
            )
        }
    }
}

/** The way in which a code reaches a phone. */
public enum class Channel(internal val word: String) { SMS("sms"), CALL("call"), WHATSAPP("whatsapp") }
