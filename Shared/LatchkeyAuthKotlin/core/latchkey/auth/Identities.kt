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
public data class Identities(
    val identities: List<Identity>,
    val hasPassword: Boolean,
    /** A change of the phone number that support has begun, or `null`. [cancelPhoneChange] stops it. */
    val pendingPhone: PendingPhone? = null,
    /** A merge with another account that waits, or `null`. [cancelMerge] stops it. */
    val pendingMerge: PendingMerge? = null,
)

/** A merge that waits, so that the users of both accounts can stop it. */
public data class PendingMerge(
    /** The time of the merge. */
    val movesAt: Date,
    /** Whether this account becomes a part of the other one; otherwise it is the one that stays. */
    val isIntoAnother: Boolean,
) {
    internal companion object {
        /** Returns a pending merge as the server's JSON describes it, or `null` without a time. */
        fun of(json: Any?): PendingMerge? {
            val members = json as? Map<*, *> ?: return null
            return PendingMerge(dateOfSeconds(members["movesAt"] as? Long ?: return null), members["intoAnother"] == true)
        }
    }
}

/** A phone number that becomes the user's. */
public data class PendingPhone(
    /** The time at which it does. */
    val movesAt: Date,
    /** The last two digits of the new number. */
    val lastDigits: String,
) {
    internal companion object {
        /** Returns a pending number as the server's JSON describes it, or `null` without a time. */
        fun of(json: Any?): PendingPhone? {
            val members = json as? Map<*, *> ?: return null
            return PendingPhone(
                dateOfSeconds(members["movesAt"] as? Long ?: return null), members["lastDigits"] as? String ?: "",
            )
        }
    }
}

/** The way in which a code reaches the user's own phone or address. */
public enum class ProofChannel(internal val word: String) { SMS("sms"), CALL("call"), WHATSAPP("whatsapp"), EMAIL("email") }

/** Where both accounts of a merge have a phone number, the one that stays. */
public enum class KeptPhone(internal val word: String?) { OWN(null), OTHER("other") }

/** A proof that an account is the user's. */
public class AccountProof internal constructor(
    internal val members: Map<String, Any?>,
    /** The part that makes two proofs different. */
    internal val secret: String,
    /** Whether it serves once, so that a repeat can only be that of the same request. */
    internal val servesOnce: Boolean = true,
) {
    override fun toString(): String = "AccountProof(‹redacted›)"

    public companion object {
        /**
         * The code that the user has typed; spaces and hyphens do not count.
         *
         * @param channel that of the request for the code, if it had one.
         */
        public fun code(code: String, channel: ProofChannel? = null): AccountProof =
            digitsOf(code).let { AccountProof(mapOf("code" to it, "channel" to channel?.word), it) }

        /** The account's password. */
        public fun password(password: String): AccountProof =
            AccountProof(mapOf("password" to password), password, servesOnce = false)

        /** A new identity token for the account at `apple` or another provider. */
        public fun provider(provider: String, identityToken: String, nonce: String? = null): AccountProof = AccountProof(
            mapOf("provider" to provider, "identityToken" to identityToken, "nonce" to nonce), identityToken,
        )

        /** A phone token for the account's number. */
        public fun phoneToken(token: String, nonce: String? = null): AccountProof =
            AccountProof(mapOf("phoneToken" to token, "nonce" to nonce), token)

        /**
         * The link by which a provider's page has returned: that of [urlToReauthenticate], or of [urlToAdd] for the other account of
         * a merge. Returns `null` if it is another link.
         */
        public fun browser(pending: PendingBrowser, link: String): AccountProof? = pending.codeOf(link)?.let {
            AccountProof(pending.proof(it) + ("provider" to pending.provider), "$it ${pending.verifier}")
        }
    }
}

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
    change("/auth/reauthenticate/request", codeRequest(channel, locale))
}

/** Returns the members of the request for a code to an account's own number or address. */
private fun LatchkeyAuth.codeRequest(channel: ProofChannel?, locale: Locale?): Map<String, Any?> {
    val appHash = configuration.appHash.takeIf { channel == null || channel == ProofChannel.SMS }
    return mapOf("channel" to channel?.word, "locale" to locale?.toLanguageTag(), "appHash" to appHash)
}

/**
 * Shows again who the user is, by the code that they have typed. Throws [AuthError.ReauthenticationFailed] if it is wrong.
 */
public suspend fun LatchkeyAuth.reauthenticate(code: String, channel: ProofChannel? = null): Unit =
    reauthenticate(AccountProof.code(code, channel))

/** Shows again who the user is, by their password. */
public suspend fun LatchkeyAuth.reauthenticateWithPassword(password: String): Unit =
    reauthenticate(AccountProof.password(password))

/** Shows again who the user is, by a new identity token for the same account at `apple` or another provider. */
public suspend fun LatchkeyAuth.reauthenticateWithProvider(
    provider: String, identityToken: String, nonce: String? = null,
): Unit = reauthenticate(AccountProof.provider(provider, identityToken, nonce))

/**
 * Shows again who the user is, by a proof of another kind. Throws [AuthError.ReauthenticationFailed] if it is wrong, or another
 * person's.
 */
public suspend fun LatchkeyAuth.reauthenticate(proof: AccountProof) {
    // A repeat of the same code has the same key, so that after a lost response it counts as one guess.
    val secret = engine.session?.record?.secret.orEmpty().encodeToByteArray()
    val key = Base64Url.encode(Digests.hmac(secret, "reauthenticate ${proof.secret}"))
    val response = change("/auth/reauthenticate", proof.members, if (proof.servesOnce) key else Digests.token())
    if (response["refresh"] == true) engine.feed { MachineEvent.Outdated }
}

/** Lists what signs the user in. */
public suspend fun LatchkeyAuth.identities(): Identities {
    val response = authorized(Call("GET", "/users/me/identities"))
    val identities = response["identities"] as? List<*> ?: throw AuthException(AuthError.NotLatchkey)
    return Identities(
        identities.mapNotNull { Identity.of(it) }, response["hasPassword"] == true,
        PendingPhone.of(response["pendingPhone"]), PendingMerge.of(response["pendingMerge"]),
    )
}

/**
 * Has a code sent to a phone number or an email address that the user wants to sign in with.
 *
 * After a lost response, pass the same prepared code again: both requests send one message.
 *
 * @param prepared the result of [prepareCode].
 */
public suspend fun LatchkeyAuth.requestIdentityCode(prepared: PendingCode): PendingCode {
    change("${pathOf(prepared)}/request", requestOf(prepared), prepared.requestKey)
    return prepared
}

/**
 * Adds the phone number or email address to which a code went, in place of the one that the user had. Throws
 * [AuthError.CodeRefused] if the code is wrong or too old.
 */
public suspend fun LatchkeyAuth.addIdentity(pending: PendingCode, code: String) {
    val digits = digitsOf(code)
    changeIdentity(pathOf(pending), pending.receiver + ("code" to digits), pending.attemptKey(digits))
}

/** Adds the phone number of a phone token, in place of the one that the user had. */
public suspend fun LatchkeyAuth.addPhoneToken(token: String, nonce: String? = null): Unit =
    changeIdentity("/users/me/phone", mapOf("token" to token, "nonce" to nonce), keyOf("sign-in", token))

/** Adds an account at Apple, in place of the one that the user had. */
public suspend fun LatchkeyAuth.addApple(credential: AppleCredential) {
    val body = mapOf(
        "identityToken" to credential.identityToken, "nonce" to credential.nonce,
        "authorizationCode" to credential.authorizationCode,
    )
    changeIdentity("/users/me/identities/apple", body, keyOf("sign-in", credential.identityToken))
}

/** Adds an account at an OpenID Connect provider, in place of the one that the user had there. */
public suspend fun LatchkeyAuth.addProvider(provider: String, identityToken: String, nonce: String? = null) {
    val body = mapOf("identityToken" to identityToken, "nonce" to nonce)
    changeIdentity("/users/me/identities/oidc/${named(provider)}", body, keyOf("sign-in", identityToken))
}

/** Removes an identity of the list. Throws [AuthError.LastIdentity] if the user could not sign in any more. */
public suspend fun LatchkeyAuth.removeIdentity(id: String) {
    val path = "/users/me/identities/"
    changeIdentity(path + Percent.encode(id), route = "$path{id}")
}

/** Sets the password of a user who has an email address. */
public suspend fun LatchkeyAuth.setPassword(password: String): Unit =
    changeIdentity("/users/me/password", mapOf("password" to password))

/** Removes the password. */
public suspend fun LatchkeyAuth.removePassword(): Unit = changeIdentity("/users/me/password")

/** Cancels a change of the phone number that support has begun. */
public suspend fun LatchkeyAuth.cancelPhoneChange() {
    authorized(Call("DELETE", "/users/me/phone/pending"))
}

/** Has a code sent to a phone number or email address of the other account, as a proof for [merge]. */
public suspend fun LatchkeyAuth.requestMergeCode(
    token: MergeToken, channel: ProofChannel? = null, locale: Locale? = null,
) {
    change("/users/me/merge/request", codeRequest(channel, locale) + ("mergeToken" to token.text))
}

/**
 * Joins the account that has an identity to this one. The token is that of [AuthError.IdentityInUse].
 *
 * @param keepPhone the phone number that stays, if both accounts have one.
 * @param proof a proof that the other account is the user's, after [AuthError.MergeProofRequired].
 */
public suspend fun LatchkeyAuth.merge(
    token: MergeToken, keepPhone: KeptPhone = KeptPhone.OWN, proof: AccountProof? = null,
) {
    val body = mapOf("mergeToken" to token.text, "keepPhone" to keepPhone.word) + proof?.members.orEmpty()
    changeIdentity("/users/me/merge", body, keyOf("sign-in", "${token.text} ${proof?.secret}"))
}

/**
 * Joins the account as [merge] does, but needs no proof of it: where the server wants one, the merge waits, and the users of both
 * accounts are told and can stop it by [cancelMerge].
 *
 * Returns the time of the merge, or `null` if it is done.
 */
public suspend fun LatchkeyAuth.mergeLater(token: MergeToken, keepPhone: KeptPhone = KeptPhone.OWN): Date? {
    val body = mapOf("mergeToken" to token.text, "keepPhone" to keepPhone.word, "wait" to true)
    val response = change("/users/me/merge", body, keyOf("sign-in", "${token.text} later"))
    (response["movesAt"] as? Long)?.let { return dateOfSeconds(it) }
    changed(response)
    return null
}

/** Stops a merge that waits, in either account. */
public suspend fun LatchkeyAuth.cancelMerge() {
    authorized(Call("DELETE", "/users/me/merge/pending"))
}

/** Sends a change of the account: a removal, if there is no body. A repeat with the same key changes nothing more. */
private suspend fun LatchkeyAuth.change(
    path: String, body: Map<String, Any?>? = null, key: String = Digests.token(), route: String = path,
): Map<String, Any?> {
    val method = if (body == null) "DELETE" else "POST"
    return authorized(Call(method, path, route, body?.filterValues { it != null }, key))
}

/** Changes what signs the user in. */
internal suspend fun LatchkeyAuth.changeIdentity(
    path: String, body: Map<String, Any?>? = null, key: String = Digests.token(), route: String = path,
): Unit = changed(change(path, body, key, route))

/** Follows a change. The response may say that the session is over; else token and profile are read again. */
private suspend fun LatchkeyAuth.changed(response: Map<String, Any?>) {
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
