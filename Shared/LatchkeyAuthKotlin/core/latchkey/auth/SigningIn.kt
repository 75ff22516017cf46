package latchkey.auth

import java.util.Locale
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import latchkey.auth.machine.MachineEvent
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.Tokens
import latchkey.auth.support.Base64Url
import latchkey.auth.support.Digests
import latchkey.auth.support.Json
import latchkey.auth.support.Percent

// Signing in by a code, a link, a password or a provider's token.

/**
 * Prepares the request of a code for a phone. Nothing is sent yet, so keep the result before you pass it to [requestCode].
 *
 * @param phone the phone number as the user has typed it.
 * @param region the ISO 3166 code of the country, such as `US`, for a number without `+`.
 * @param channel the way in which the code reaches the phone.
 * @param locale the language of the message.
 */
public fun LatchkeyAuth.prepareCode(
    phone: String, region: String? = null, channel: Channel = Channel.SMS, locale: Locale? = null,
): PendingCode = PendingCode(phone, null, region, channel, locale?.toLanguageTag())

/** Prepares the request of a mail that contains a code and a link. The link works on this device only. */
public fun LatchkeyAuth.prepareCode(email: String, locale: Locale? = null): PendingCode =
    PendingCode(null, email, null, Channel.SMS, locale?.toLanguageTag())

/** Has a code sent to a phone, as [prepareCode] describes it. Keep the result while the user reads the message. */
public suspend fun LatchkeyAuth.requestCode(
    phone: String, region: String? = null, channel: Channel = Channel.SMS, locale: Locale? = null,
): PendingCode = requestCode(prepareCode(phone = phone, region, channel, locale))

/** Has a mail sent that contains a code and a link. The link works on this device only. */
public suspend fun LatchkeyAuth.requestCode(email: String, locale: Locale? = null): PendingCode =
    requestCode(prepareCode(email = email, locale))

/** Has a prepared code sent. After a lost response, pass the same one again: both requests send one message. */
public suspend fun LatchkeyAuth.requestCode(prepared: PendingCode): PendingCode {
    if (prepared.email != null) {
        post("/auth/magic-link/request", requestOf(prepared) + ("challenge" to prepared.challenge), prepared.requestKey)
    } else {
        post("/auth/otp/request", requestOf(prepared), prepared.requestKey)
    }
    return prepared
}

/** Returns the members of the request for a code. */
internal fun LatchkeyAuth.requestOf(prepared: PendingCode): Map<String, Any?> {
    val body = prepared.receiver + ("locale" to prepared.locale)
    val channel = prepared.channel.takeIf { it != Channel.SMS }?.word
    return if (prepared.email != null) body
    else body + mapOf("channel" to channel, "appHash" to configuration.appHash.takeIf { channel == null })
}

/** Has the code sent again, by another channel if one is named. */
public suspend fun LatchkeyAuth.resend(pending: PendingCode, channel: Channel? = null): PendingCode =
    requestCode(pending.with(channel ?: pending.channel))

/**
 * Signs in with the code that the user has typed; spaces and hyphens do not count.
 *
 * After a lost response, send the code again: both requests count as one guess and open one session. Throws
 * [AuthError.CodeRefused] if the code is wrong or too old.
 *
 * @param name the name of a new user.
 * @param newAccount whether the number begins a new account. Only for a user who says so after
 *   [AuthError.SecondIdentityRequired].
 */
public suspend fun LatchkeyAuth.signIn(
    pending: PendingCode, code: String, name: String? = null, newAccount: Boolean = false,
): SignIn {
    val digits = digitsOf(code)
    val path = if (pending.email != null) "/auth/magic-link/verify" else "/auth/otp/verify"
    val proof = mapOf("code" to digits, "name" to name, "newAccount" to newAccount.takeIf { it })
    return open(path, pending.receiver + proof, pending.attemptKey(if (newAccount) "$digits new" else digits))
}

/** Returns a code without the spaces and hyphens that people type. */
internal fun digitsOf(code: String): String = code.filter { !it.isWhitespace() && it != '-' }

/**
 * Signs in with the link of a mail that the app was opened with. Throws [AuthError.CodeRefused] if the link is used, too old
 * or not for this device.
 */
public suspend fun LatchkeyAuth.signInWithLink(pending: PendingCode, link: String): SignIn {
    val token = tokenOf(link)
    val proof = mapOf("token" to token, "verifier" to pending.verifier)
    return open("/auth/magic-link/verify", proof, pending.attemptKey(token))
}

/** Signs in with a password. Throws [AuthError.PasswordRefused] if the address or the password is wrong. */
public suspend fun LatchkeyAuth.signInWithPassword(email: String, password: String): SignIn =
    // A password may be tried again with the same result, so each attempt has a key of its own.
    once.run("$email $password") { open("/auth/login", mapOf("email" to email, "password" to password), Digests.token()) }

/**
 * Signs in with the identity token of an OpenID Connect provider.
 *
 * @param provider the provider's name in the server's policy, such as `google`.
 * @param nonce the random value whose SHA-256 is in the token.
 */
public suspend fun LatchkeyAuth.signInWithProvider(provider: String, identityToken: String, nonce: String? = null): SignIn {
    val proof = mapOf("identityToken" to identityToken, "nonce" to nonce)
    return open("/auth/oidc/${named(provider)}", proof, keyOf("sign-in", identityToken))
}

/** Signs in with Apple. */
public suspend fun LatchkeyAuth.signInWithApple(credential: AppleCredential): SignIn {
    val proof = mapOf(
        "identityToken" to credential.identityToken, "authorizationCode" to credential.authorizationCode,
        "nonce" to credential.nonce, "fullName" to credential.fullName, "email" to credential.email,
    )
    return open("/auth/apple", proof, keyOf("sign-in", credential.identityToken))
}

/** Registers an account with a password. The server mails a link, whether or not the address has an account already. */
public suspend fun LatchkeyAuth.register(email: String, password: String, name: String? = null, locale: Locale? = null) {
    val body = mapOf("email" to email, "password" to password, "name" to name)
    post("/auth/register", body + ("locale" to locale?.toLanguageTag()))
}

/** Confirms a registration by the link of its mail and the password. Sign in afterwards. */
public suspend fun LatchkeyAuth.confirmRegistration(link: String, password: String) {
    post("/auth/verify-email", mapOf("token" to tokenOf(link), "password" to password))
}

/** Has the link of a registration sent again. */
public suspend fun LatchkeyAuth.resendRegistration(email: String, locale: Locale? = null) {
    post("/auth/verify-email/resend", mapOf("email" to email, "locale" to locale?.toLanguageTag()))
}

/** Has a link sent by which the user sets a new password. */
public suspend fun LatchkeyAuth.forgotPassword(email: String, locale: Locale? = null) {
    post("/auth/forgot-password", mapOf("email" to email, "locale" to locale?.toLanguageTag()))
}

/** Sets a new password by the link of a mail. All sessions of the user end. */
public suspend fun LatchkeyAuth.resetPassword(link: String, password: String) {
    post("/auth/reset-password", mapOf("token" to tokenOf(link), "password" to password))
}

/** The server's permission to cancel the deletion of an account, for ten minutes. */
public class RestoreToken(
    /** The token as text. */
    public val text: String,
) {
    override fun equals(other: Any?): Boolean = other is RestoreToken && text == other.text

    override fun hashCode(): Int = text.hashCode()

    override fun toString(): String = "RestoreToken(‹redacted›)"
}

/**
 * Signs in to an account that is scheduled for deletion, and cancels the deletion. The token is that of
 * [AuthError.DeletionScheduled]; it works once.
 */
public suspend fun LatchkeyAuth.restore(token: RestoreToken): SignIn =
    open("/auth/restore", mapOf("restoreToken" to token.text), keyOf("sign-in", token.text))

/**
 * Keeps the session that the response to a sign-in has opened, such as one that an app's own HTTP client has received.
 *
 * @param response the response's JSON.
 */
public suspend fun LatchkeyAuth.adopt(response: String): SignIn {
    val members = Json.members(response.encodeToByteArray()) ?: throw AuthException(AuthError.NotLatchkey)
    val tokens = Tokens.of(members["tokens"]) ?: throw AuthException(AuthError.NotLatchkey)
    val proof = keyOf("sign-in", tokens.refreshToken)
    return once.run(proof) { begin(members, proof) }
}

/** Sends a proof of the user's identity, and keeps the session that the server opens. */
internal suspend fun LatchkeyAuth.open(path: String, proof: Map<String, Any?>, key: String): SignIn =
    once.run(key) {
        val installation = withContext(Dispatchers.IO) { configuration.installationId() }
        val headers = installation?.let { mapOf("X-Device-Fingerprint" to it) } ?: emptyMap()
        begin(post(path, proof + ("deviceName" to configuration.deviceName), key, headers), key)
    }

/** Keeps a session. `proof` is the key of what has opened it. */
internal suspend fun LatchkeyAuth.begin(response: Map<String, Any?>, proof: String): SignIn {
    val user = User.of(response["user"])
    val tokens = Tokens.of(response["tokens"])
    if (user == null || tokens == null) throw AuthException(AuthError.NotLatchkey)
    val isNewUser = response["isNewUser"] == true
    // The machine gives the record its version.
    val record = SessionRecord(
        engine.api.baseUrl.text, StoreVersion(0, 1), Digests.token(), tokens.refreshToken, tokens.accessToken,
        issuedAt = configuration.clock.wallSeconds, expiresIn = tokens.expiresIn, userId = user.id, user = user,
        proof = proof, isNewUser = isNewUser,
    )
    engine.ask { caller, moment -> MachineEvent.SignedIn(caller, record, moment) }
    if (response["newDevice"] == true) engine.report(Event.NewDevice)
    return SignIn(user, isNewUser, wasRestored = response["restored"] == true)
}

/** Returns a provider's name, which is part of a path. Throws if it cannot be one. */
internal fun named(provider: String): String {
    val isName = provider.isNotEmpty() && provider.all { it in 'a'..'z' || it in '0'..'9' || it in "-_" }
    return if (isName) provider else throw AuthException(AuthError.Invalid("provider", "invalid_provider"))
}

/** Returns the token of a link, from its query. */
private fun tokenOf(link: String): String = queryOf(link)["token"] ?: throw AuthException(AuthError.CodeRefused(null))

/** Returns the members of a link's query that have a value, without their percent-encoding. */
internal fun queryOf(link: String): Map<String, String> {
    val query = link.substringAfter('?', "").substringBefore('#')
    val members = query.split('&').associate { it.substringBefore('=') to Percent.decode(it.substringAfter('=', "")) }
    return members.filterValues { it.isNotEmpty() }
}

/** Returns the key of a proof that serves once: the same proof has the same key. */
internal fun keyOf(use: String, proof: String): String = Base64Url.encode(Digests.sha256("$use $proof"))
