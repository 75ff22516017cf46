package latchkey.auth

import java.util.Date
import latchkey.auth.http.Call
import latchkey.auth.machine.MachineEvent

// The second factor: at a sign-in, to step a session up, and the user's own settings.

/** The server's permission to finish a sign-in by a second factor, for five minutes. */
public class MfaToken(
    /** The token as text. */
    public val text: String,
) {
    override fun equals(other: Any?): Boolean = other is MfaToken && text == other.text

    override fun hashCode(): Int = text.hashCode()

    override fun toString(): String = "MfaToken(‹redacted›)"
}

/** A proof beside that of the sign-in. */
public sealed class SecondFactor {
    /** A text, with its names in a sign-in and in a step-up. */
    internal class Typed(val ofSignIn: String, val ofStepUp: String, val text: String) : SecondFactor()

    internal class OfPasskey(val platform: PasskeyPlatform) : SecondFactor()

    override fun toString(): String = "SecondFactor(‹redacted›)"

    public companion object {
        /** The code that the user's authenticator app shows; spaces and hyphens do not count. */
        public fun totp(code: String): SecondFactor = Typed("code", "totp", digitsOf(code))

        /** One of the user's recovery codes, each of which works once. */
        public fun recoveryCode(code: String): SecondFactor = Typed("recoveryCode", "recoveryCode", code.trim())

        /** One of the user's passkeys, by the system's sheet. */
        public fun passkey(platform: PasskeyPlatform): SecondFactor = OfPasskey(platform)
    }
}

/**
 * Finishes a sign-in that was refused with [AuthError.SecondFactorRequired], whose token it takes. Throws
 * [AuthError.SecondFactorRefused] if the factor is wrong, and [AuthError.Cancelled] if the user has closed the sheet; another one may
 * follow.
 *
 * After a lost response, send a code again: both requests count as one guess and open one session.
 */
public suspend fun LatchkeyAuth.signInWithSecondFactor(token: MfaToken, factor: SecondFactor): SignIn {
    val held = mapOf("mfaToken" to token.text)
    return when (factor) {
        is SecondFactor.Typed ->
            open(VERIFY, held + (factor.ofSignIn to factor.text), keyOf("second factor", "${token.text} ${factor.text}"))
        is SecondFactor.OfPasskey -> once.run("passkey ${token.text}") {
            val ceremony = Ceremony.of(post("/auth/mfa/options", held, key = null))
            redeem(VERIFY, held + ceremony.proof { factor.platform.get(it, PasskeyKind.PASSKEY) }, ceremony.key)
        }
    }
}

/**
 * Steps the session up by a second factor, for what needs more than the sign-in has shown, and renews the access token. It is a proof
 * as [reauthenticate] takes them, and throws [AuthError.ReauthenticationFailed] if it is wrong.
 */
public suspend fun LatchkeyAuth.stepUp(factor: SecondFactor): Unit = when (factor) {
    is SecondFactor.Typed ->
        stepUp(AccountProof(mapOf(factor.ofStepUp to factor.text), "${factor.ofStepUp} ${factor.text}"))
    is SecondFactor.OfPasskey -> stepUp(factor.platform)
}

private suspend fun LatchkeyAuth.stepUp(platform: PasskeyPlatform) {
    accessToken()
    val epoch = epoch
    val ceremony = Ceremony.of(offered { authorized(Call("POST", "/auth/reauthenticate/options", body = emptyMap())) })
    val proof = AccountProof(ceremony.proof { platform.get(it, PasskeyKind.PASSKEY) }, ceremony.id)
    // Another user may have signed in while the sheet was open.
    if (this.epoch != epoch) throw sessionIsOver()
    againIfOffline { stepUp(proof) }
}

private suspend fun LatchkeyAuth.stepUp(proof: AccountProof) {
    reauthenticate(proof)
    // If it fails, the token is renewed when it is next wanted.
    quietly { accessToken() }
}

/** The user's second factors. */
public data class SecondFactors(
    /** Whether an authenticator app is set up. */
    val hasTOTP: Boolean,
    /** Whether every sign-in by a code, a password or a provider needs a second factor. */
    val isRequired: Boolean,
    val recoveryCodesLeft: Int,
    /** The number of passkeys that can be the second factor. */
    val passkeys: Int,
    /** The time from which the authenticator app counts, or `null` if it does already. The user was told about it, and can object. */
    val activeFrom: Date?,
    /** The time at which support removes the second factor, or `null` if it does not. */
    val resetAt: Date?,
) {
    internal companion object {
        fun of(json: Map<String, Any?>): SecondFactors {
            fun count(name: String) = (json[name] as? Long ?: 0).coerceIn(0, Int.MAX_VALUE.toLong()).toInt()
            fun date(name: String) = (json[name] as? Long)?.let(::dateOfSeconds)
            return SecondFactors(
                json["totp"] == true, json["required"] == true, count("recoveryCodesLeft"), count("passkeys"), date("activeFrom"),
                date("resetAt"),
            )
        }
    }
}

/** The secret of an authenticator app that is not set up yet. Show [uri] as a QR code, and [secret] to type it. */
public class TOTPSecret internal constructor(public val secret: String, public val uri: String) {
    override fun toString(): String = "TOTPSecret(‹redacted›)"
}

/** Reads which second factors the user has. */
public suspend fun LatchkeyAuth.secondFactors(): SecondFactors = SecondFactors.of(offered { authorized(Call("GET", MFA)) })

/** Begins to set up an authenticator app. It counts once [activateTOTP] has its first code. */
public suspend fun LatchkeyAuth.beginTOTP(): TOTPSecret {
    val response = offered { authorized(Call("POST", "$MFA/totp", body = emptyMap())) }
    val (secret, uri) = response["secret"] as? String to response["uri"] as? String
    return if (secret == null || uri == null) throw AuthException(AuthError.NotLatchkey) else TOTPSecret(secret, uri)
}

/**
 * Turns the authenticator app on by the code that it shows. Returns ten recovery codes: show them to the user, since they cannot be
 * read again. Throws [AuthError.SecondFactorRefused] if the code is wrong. It may have to wait ([SecondFactors.activeFrom]).
 */
public suspend fun LatchkeyAuth.activateTOTP(code: String): List<String> =
    recoveryCodes(Call("POST", "$MFA/totp/activate", body = mapOf("code" to digitsOf(code))))

/** Removes the authenticator app. */
public suspend fun LatchkeyAuth.removeTOTP() {
    authorized(Call("DELETE", "$MFA/totp"))
    engine.feed { MachineEvent.Outdated }
}

/** Replaces the recovery codes by ten new ones, which cannot be read again. The session has to be stepped up ([stepUp]). */
public suspend fun LatchkeyAuth.renewRecoveryCodes(): List<String> =
    recoveryCodes(Call("POST", "$MFA/recovery-codes", body = emptyMap()))

/** Sets whether every sign-in by a code, a password or a provider needs a second factor. The session has to be stepped up. */
public suspend fun LatchkeyAuth.requireSecondFactor(isRequired: Boolean): SecondFactors =
    SecondFactors.of(authorized(Call("PATCH", MFA, body = mapOf("required" to isRequired))))

/** Cancels a removal of the second factors that support has begun ([SecondFactors.resetAt]). */
public suspend fun LatchkeyAuth.cancelSecondFactorReset() {
    authorized(Call("DELETE", "$MFA/reset"))
}

private suspend fun LatchkeyAuth.recoveryCodes(call: Call): List<String> {
    val response = authorized(call)
    engine.feed { MachineEvent.Outdated }
    val codes = response["recoveryCodes"] as? List<*> ?: throw AuthException(AuthError.NotLatchkey)
    return codes.filterIsInstance<String>()
}

private const val VERIFY = "/auth/mfa/verify"
private const val MFA = "/users/me/mfa"
