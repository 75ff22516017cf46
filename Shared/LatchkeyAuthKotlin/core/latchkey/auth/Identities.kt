package latchkey.auth

import java.util.Date
import java.util.Locale
import latchkey.auth.http.Call
import latchkey.auth.machine.MachineEvent
import latchkey.auth.support.Base64Url
import latchkey.auth.support.Digests
import latchkey.auth.support.Percent

// The identities that sign the user in, how it is changed, and the proofs that this needs.

/** One of the ways in which a user signs in. */
public data class Identity(
    /** The id by which it is removed. */
    val id: String,
    /** `phone`, `email`, `apple` or `oidc`. */
    val kind: String,
    /** The provider's name, or `null` for a phone number or an email address. */
    val provider: String?,
    /** The phone number or email address, or `null` for an account at a provider. */
    val value: String?,
    /** The time from which it signs in. */
    val addedAt: Date,
) {
    /** Prints no phone number and no address. */
    override fun toString(): String = "Identity($id, $kind)"

    internal companion object {
        /** Returns an identity as the server's JSON describes it, or `null` if a member is missing. */
        fun of(json: Any?): Identity? {
            val members = json as? Map<*, *> ?: return null
            return Identity(
                members["id"] as? String ?: return null, members["kind"] as? String ?: return null,
                members["provider"] as? String, members["value"] as? String,
                dateOfSeconds(members["addedAt"] as? Long ?: return null),
            )
        }
    }
}

/** All ways in which a user signs in. */
public data class Identities(val identities: List<Identity>, val hasPassword: Boolean)

/** The way in which a code reaches the user's own phone or address. */
public enum class ProofChannel(internal val word: String) { SMS("sms"), CALL("call"), WHATSAPP("whatsapp"), EMAIL("email") }

/** Where both accounts of a merge have a phone number, the one that stays. */
public enum class KeptPhone(internal val word: String?) { OWN(null), OTHER("other") }

/** The server's permission to join another account to the user's own, for ten minutes. */
public class MergeToken(
    /** The token as text. */
    public val text: String,
) {
    override fun equals(other: Any?): Boolean = other is MergeToken && text == other.text

    override fun hashCode(): Int = text.hashCode()

    override fun toString(): String = "MergeToken(‹redacted›)"
}

/** Has a code sent to the user's own phone number, or to the email address if there is no number or `channel` says so. */
public suspend fun LatchkeyAuth.requestReauthentication(channel: ProofChannel? = null, locale: Locale? = null) {
    val appHash = configuration.appHash.takeIf { channel == null || channel == ProofChannel.SMS }
    val body = mapOf("channel" to channel?.word, "locale" to locale?.toLanguageTag(), "appHash" to appHash)
    change("POST", "/auth/reauthenticate/request", body)
}

/**
 * Shows again who the user is, by the code that they have typed. Throws [AuthError.ReauthenticationFailed] if it is wrong.
 */
public suspend fun LatchkeyAuth.reauthenticate(code: String, channel: ProofChannel? = null) {
    val digits = digitsOf(code)
    // A repeat of the same code has the same key, so that after a lost response it counts as one guess.
    val secret = engine.session?.record?.secret.orEmpty().encodeToByteArray()
    val key = Base64Url.encode(Digests.hmac(secret, "reauthenticate $digits"))
    prove(mapOf("code" to digits, "channel" to channel?.word), key)
}

/** Shows again who the user is, by their password. */
public suspend fun LatchkeyAuth.reauthenticateWithPassword(password: String): Unit =
    prove(mapOf("password" to password), Digests.token())

/** Shows again who the user is, by a new identity token for the same account at `apple` or another provider. */
public suspend fun LatchkeyAuth.reauthenticateWithProvider(
    provider: String, identityToken: String, nonce: String? = null,
): Unit = prove(
    mapOf("provider" to provider, "identityToken" to identityToken, "nonce" to nonce), keyOf("sign-in", identityToken),
)

private suspend fun LatchkeyAuth.prove(proof: Map<String, Any?>, key: String) {
    val response = change("POST", "/auth/reauthenticate", proof, key)
    if (response["refresh"] == true) engine.feed { MachineEvent.Outdated }
}

/** Lists what signs the user in. */
public suspend fun LatchkeyAuth.identities(): Identities {
    val response = authorized(Call("GET", "/users/me/identities"))
    val identities = response["identities"] as? List<*> ?: throw AuthException(AuthError.NotLatchkey)
    return Identities(identities.mapNotNull { Identity.of(it) }, response["hasPassword"] == true)
}

/**
 * Has a code sent to a phone number or an email address that the user wants to sign in with.
 *
 * After a lost response, pass the same prepared code again: both requests send one message.
 *
 * @param prepared the result of [prepareCode].
 */
public suspend fun LatchkeyAuth.requestIdentityCode(prepared: PendingCode): PendingCode {
    change("POST", "${pathOf(prepared)}/request", requestOf(prepared), prepared.requestKey)
    return prepared
}

/**
 * Adds the phone number or email address to which a code went, in place of the one that the user had. Throws
 * [AuthError.CodeRefused] if the code is wrong or too old.
 */
public suspend fun LatchkeyAuth.addIdentity(pending: PendingCode, code: String) {
    val digits = digitsOf(code)
    changeIdentity("POST", pathOf(pending), pending.receiver + ("code" to digits), pending.attemptKey(digits))
}

/** Adds the phone number of a phone token, in place of the one that the user had. */
public suspend fun LatchkeyAuth.addPhoneToken(token: String, nonce: String? = null): Unit =
    changeIdentity("POST", "/users/me/phone", mapOf("token" to token, "nonce" to nonce), keyOf("sign-in", token))

/** Adds an account at Apple, in place of the one that the user had. */
public suspend fun LatchkeyAuth.addApple(credential: AppleCredential) {
    val body = mapOf(
        "identityToken" to credential.identityToken, "nonce" to credential.nonce,
        "authorizationCode" to credential.authorizationCode,
    )
    changeIdentity("POST", "/users/me/identities/apple", body, keyOf("sign-in", credential.identityToken))
}

/** Adds an account at an OpenID Connect provider, in place of the one that the user had there. */
public suspend fun LatchkeyAuth.addProvider(provider: String, identityToken: String, nonce: String? = null) {
    val body = mapOf("identityToken" to identityToken, "nonce" to nonce)
    changeIdentity("POST", "/users/me/identities/oidc/${named(provider)}", body, keyOf("sign-in", identityToken))
}

/** Removes an identity of the list. Throws [AuthError.LastIdentity] if the user could not sign in any more. */
public suspend fun LatchkeyAuth.removeIdentity(id: String) {
    val path = "/users/me/identities/"
    changeIdentity("DELETE", path + Percent.encode(id), route = "$path{id}")
}

/** Sets the password of a user who has an email address. */
public suspend fun LatchkeyAuth.setPassword(password: String): Unit =
    changeIdentity("POST", "/users/me/password", mapOf("password" to password))

/** Removes the password. */
public suspend fun LatchkeyAuth.removePassword(): Unit = changeIdentity("DELETE", "/users/me/password")

/** Cancels a change of the phone number that support has begun. */
public suspend fun LatchkeyAuth.cancelPhoneChange() {
    authorized(Call("DELETE", "/users/me/phone/pending"))
}

/** Joins the account that has an identity to this one. The token is that of [AuthError.IdentityInUse]. */
public suspend fun LatchkeyAuth.merge(token: MergeToken, keepPhone: KeptPhone = KeptPhone.OWN) {
    val body = mapOf("mergeToken" to token.text, "keepPhone" to keepPhone.word)
    changeIdentity("POST", "/users/me/merge", body, keyOf("sign-in", token.text))
}

/** Sends a change of the account. A repeat with the same key changes nothing more. */
private suspend fun LatchkeyAuth.change(
    method: String, path: String, body: Map<String, Any?>? = null, key: String = Digests.token(), route: String = path,
): Map<String, Any?> = authorized(Call(method, path, route, body?.filterValues { it != null }, key))

/** Changes what signs the user in. The response may say that the session is over; else token and profile are read again. */
private suspend fun LatchkeyAuth.changeIdentity(
    method: String, path: String, body: Map<String, Any?>? = null, key: String = Digests.token(), route: String = path,
) {
    val response = change(method, path, body, key, route)
    if (response["signedOut"] == true) return engine.feed { MachineEvent.Over(SignOutReason.ENDED) }
    engine.feed { MachineEvent.Outdated }
    try {
        reloadUser()
    } catch (_: AuthException) {
        // The change is made. The profile comes with the next reading.
    }
}

/** Returns the path by which the receiver of a code becomes an identity. */
private fun pathOf(pending: PendingCode): String = if (pending.email == null) "/users/me/phone" else "/users/me/email"
