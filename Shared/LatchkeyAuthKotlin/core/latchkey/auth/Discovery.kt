package latchkey.auth

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The server's features and limits, from `GET /.well-known/latchkey`.
 *
 * A server older than that document leaves every value unknown (`null`).
 */
public class Discovery internal constructor(private val members: Map<*, *>) {
    private val codes: Map<*, *> get() = members["codes"] as? Map<*, *> ?: emptyMap<String, Any>()

    /** The server's version. */
    public val version: String? get() = members["version"] as? String

    /** The issuer of access tokens. */
    public val issuer: String? get() = members["issuer"] as? String

    /** The number of digits of a code. */
    public val codeLength: Int? get() = (codes["length"] as? Long)?.takeIf { it in 1..64 }?.toInt()

    /** The time that a code is valid. */
    public val codeLifetime: Duration? get() = seconds(codes["lifetimeSeconds"])

    /** The time after which another code can be requested. */
    public val resendAfter: Duration? get() = seconds(codes["resendAfterSeconds"])

    /** The channels by which codes reach phones; empty if the server sends none. */
    public val channels: List<Channel>?
        get() = texts(codes["channels"])?.mapNotNull { word -> Channel.entries.firstOrNull { it.word == word } }

    /** Whether codes and links go out by mail. */
    public val hasMail: Boolean? get() = truth(members["mail"])

    /** Whether users can have a password. */
    public val hasPasswords: Boolean? get() = truth(members["passwords"])

    /** The names of identity providers, such as `apple` or `google`. */
    public val providers: List<String>? get() = texts(members["providers"])

    /** The lifetime of an access token. */
    public val accessLifetime: Duration? get() = seconds((members["access"] as? Map<*, *>)?.get("lifetimeSeconds"))

    /** The domain that passkeys belong to; `null` if the server has none. */
    public val passkeyDomain: String? get() = (members["passkeys"] as? Map<*, *>)?.get("rpID") as? String

    /** Whether users can have a second factor. */
    public val hasSecondFactors: Boolean? get() = truth(members["mfa"])

    private fun seconds(value: Any?): Duration? =
        (value as? Long)?.takeIf { it in 0..Int.MAX_VALUE.toLong() }?.seconds

    /** An object counts as true, so that a feature can get options in a later release. */
    private fun truth(value: Any?): Boolean? = if (value is Map<*, *>) true else value as? Boolean

    /** Returns the strings of an array, or the names of an object's members. */
    private fun texts(value: Any?): List<String>? = when (value) {
        is List<*> -> value.filterIsInstance<String>()
        is Map<*, *> -> value.keys.filterIsInstance<String>().sorted()
        else -> null
    }
}
