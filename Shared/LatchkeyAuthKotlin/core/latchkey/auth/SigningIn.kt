package latchkey.auth

import java.util.Locale
import latchkey.auth.machine.MachineEvent
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.Tokens
import latchkey.auth.support.Base64Url
import latchkey.auth.support.Digests

// Signing in by a code, a link, a password or a provider's token.

/**
 * Has a code sent to a phone. Keep the result while the user reads the message.
 *
 * @param phone the phone number as the user has typed it.
 * @param region the ISO 3166 code of the country, such as `US`, for a number without `+`.
 * @param channel the way in which the code reaches the phone.
 * @param locale the language of the message.
 */
public suspend fun LatchkeyAuth.requestCode(
    phone: String, region: String? = null, channel: Channel = Channel.SMS, locale: Locale? = null,
): PendingCode = send(PendingCode(phone, null, region, channel, locale?.toLanguageTag()))

/** Has a mail sent that contains a code and a link. The link works on this device only. */
public suspend fun LatchkeyAuth.requestMail(email: String, locale: Locale? = null): PendingCode =
    send(PendingCode(null, email, null, Channel.SMS, locale?.toLanguageTag()))

/** Has the code sent again, by another channel if one is named. */
public suspend fun LatchkeyAuth.resend(pending: PendingCode, channel: Channel? = null): PendingCode =
    send(pending.with(channel ?: pending.channel))

private suspend fun LatchkeyAuth.send(pending: PendingCode): PendingCode {
    if (pending.email != null) {
        post(
            "/auth/magic-link/request",
            mapOf("email" to pending.email, "challenge" to pending.challenge, "locale" to pending.locale),
        )
    } else {
        val channel = pending.channel.takeIf { it != Channel.SMS }?.word
        post(
            "/auth/otp/request",
            mapOf(
                "phoneNumber" to pending.phone, "countryCode" to pending.region, "channel" to channel,
                "locale" to pending.locale, "appHash" to configuration.appHash.takeIf { channel == null },
            ),
        )
    }
    return pending
}

/**
 * Signs in with the code that the user has typed; spaces and hyphens do not count.
 *
 * After a lost response, send the code again: both requests count as one guess and open one session. Throws
 * [AuthError.CodeRefused] if the code is wrong or too old.
 *
 * @param name the name of a new user.
 */
public suspend fun LatchkeyAuth.signIn(pending: PendingCode, code: String, name: String? = null): SignIn {
    val digits = code.filter { !it.isWhitespace() && it != '-' }
    val key = pending.attemptKey(digits)
    val proof = mapOf("code" to digits, "name" to name)
    if (pending.email != null) return keep("/auth/magic-link/verify", proof + ("email" to pending.email), key)
    val number = mapOf("phoneNumber" to pending.phone, "countryCode" to pending.region)
    return keep("/auth/otp/verify", proof + number, key)
}

/**
 * Signs in with the link of a mail that the app was opened with. Throws [AuthError.CodeRefused] if the link is used, too old
 * or not for this device.
 */
public suspend fun LatchkeyAuth.signInByLink(pending: PendingCode, link: String): SignIn {
    val token = tokenOf(link)
    val proof = mapOf("token" to token, "verifier" to pending.verifier)
    return keep("/auth/magic-link/verify", proof, pending.attemptKey(token))
}

/** Signs in with a password. Throws [AuthError.PasswordRefused] if the address or the password is wrong. */
public suspend fun LatchkeyAuth.signInByPassword(email: String, password: String): SignIn =
    // A password may be tried again with the same result, so each attempt has a key of its own.
    keep("/auth/login", mapOf("email" to email, "password" to password), Digests.token())

/**
 * Signs in with the identity token of an OpenID Connect provider.
 *
 * @param provider the provider's name in the server's policy, such as `google`.
 * @param nonce the random value whose SHA-256 is in the token.
 */
public suspend fun LatchkeyAuth.signInByProvider(provider: String, identityToken: String, nonce: String? = null): SignIn {
    val isName = provider.isNotEmpty() && provider.all { it in 'a'..'z' || it in '0'..'9' || it in "-_" }
    if (!isName) throw AuthException(AuthError.Invalid("provider", "invalid_provider"))
    val proof = mapOf("identityToken" to identityToken, "nonce" to nonce)
    return keep("/auth/oidc/$provider", proof, keyOf(identityToken))
}

/** Signs in with the identity token of Sign in with Apple, from its web page. */
public suspend fun LatchkeyAuth.signInByApple(identityToken: String, nonce: String? = null): SignIn =
    keep("/auth/apple", mapOf("identityToken" to identityToken, "nonce" to nonce), keyOf(identityToken))

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

/** Sends a proof of the user's identity, and keeps the session that the server opens. */
private suspend fun LatchkeyAuth.keep(path: String, proof: Map<String, Any?>, key: String): SignIn {
    val members = post(path, proof + ("deviceName" to configuration.deviceName), key)
    val user = User.of(members["user"])
    val tokens = Tokens.of(members["tokens"])
    if (user == null || tokens == null) throw AuthException(AuthError.NotLatchkey)
    val isNewUser = members["isNewUser"] == true
    // The machine gives the record its version.
    val record = SessionRecord(
        engine.api.baseUrl.text, StoreVersion(0, 1), Digests.token(), tokens.refreshToken, tokens.accessToken,
        issuedAt = configuration.clock.wallSeconds, expiresIn = tokens.expiresIn, userId = user.id, user = user,
    )
    engine.ask { caller, moment -> MachineEvent.SignedIn(caller, record, isNewUser, moment) }
    return SignIn(user, isNewUser, wasRestored = members["restored"] == true)
}

/** Returns the token of a link, from its query. */
private fun tokenOf(link: String): String {
    val query = link.substringAfter('?', "").substringBefore('#')
    val token = query.split('&').firstOrNull { it.startsWith("token=") }?.removePrefix("token=")
    return token?.takeIf { it.isNotEmpty() } ?: throw AuthException(AuthError.CodeRefused)
}

/** Returns the key of a sign-in with a token that serves once: the same token has the same key. */
private fun keyOf(identityToken: String): String = Base64Url.encode(Digests.sha256("sign-in $identityToken"))
