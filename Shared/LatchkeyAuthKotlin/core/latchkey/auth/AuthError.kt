package latchkey.auth

import java.io.IOException
import java.util.Date
import kotlin.time.Duration

/**
 * The reason why a call failed.
 *
 * Only [SignedOut] and [AccountInactive] mean that the user has to sign in again. After every other error the session is
 * still there.
 */
public sealed interface AuthError {
    /** No session exists. The reason is known if one ended while this app was installed. */
    public data class SignedOut(val reason: SignOutReason?) : AuthError

    /** The store cannot be read or written at present, such as before the first unlock of a phone. */
    public data class StoreUnavailable(val trouble: StoreTrouble) : AuthError

    /** No connection, no DNS, a reset, or a response that was cut off. */
    public data object Offline : AuthError

    /** No response within the library's own limit of 20 seconds. */
    public data object TimedOut : AuthError

    /** The server's certificate is not trusted, or the base URL is `http` where only `https` is allowed. */
    public data object UntrustedServer : AuthError

    /** The server answered with 500 to 599. */
    public data class Unavailable(override val retryAfter: Duration?) : AuthError

    /** The server answered with 429. The limit is `null` if it does not say which. */
    public data class RateLimited(override val retryAfter: Duration, val limit: RateLimit? = null) : AuthError

    /** An access token was refused although it had just been renewed. A newer one would be refused as well. */
    public data object RefusedAgain : AuthError

    /** The response is not Latchkey's, such as the sign-in page of a hotel's network. */
    public data object NotLatchkey : AuthError

    /** The code, link or [RestoreToken] is wrong, used or too old. The reason is `null` if the server does not say which. */
    public data class CodeRefused(val reason: CodeRefusal?) : AuthError

    /** The email address or the password is wrong. */
    public data object PasswordRefused : AuthError

    /** The server does not accept a value. `field` is what to mark on the screen; `code` is stable. */
    public data class Invalid(val field: String, val code: String) : AuthError

    /** The server does not accept the passkey: it was removed, breaks a rule, or the sheet was open for too long. */
    public data object PasskeyRefused : AuthError

    /** The device has no passkey for this app. */
    public data object NoPasskey : AuthError

    /** The device or the server has this passkey already. */
    public data object PasskeyExists : AuthError

    /** The user has as many passkeys as the server allows. */
    public data object TooManyPasskeys : AuthError

    /** The user needs a second factor, by one of these methods: `totp`, `passkey`, `recovery`. See [signInWithSecondFactor]. */
    public data class SecondFactorRequired(val mfaToken: MfaToken, val methods: List<String>) : AuthError

    /** The second factor is wrong or used, or the sign-in has taken more than five minutes. */
    public data object SecondFactorRefused : AuthError

    /** The account was deactivated. */
    public data object AccountInactive : AuthError

    /** Only invited people can have an account. */
    public data object NotInvited : AuthError

    /** The account is scheduled for deletion. [restore] cancels that, if there is a token for it. */
    public data class DeletionScheduled(val restoreToken: RestoreToken?) : AuthError

    /** The server does not offer this way to sign in. */
    public data object MethodNotOffered : AuthError

    /** The user has to show again who they are: see [LatchkeyAuth.onReauthenticate]. */
    public data object ReauthenticationRequired : AuthError

    /** The code, password or identity token does not show who the user is: it is wrong, used, too old, or another person's. */
    public data object ReauthenticationFailed : AuthError

    /** Another account has the identity. [merge] joins it, if there is a token for that. */
    public data class IdentityInUse(val mergeToken: MergeToken?) : AuthError

    /** Another device has changed what signs the user in at the same time. */
    public data object IdentityChanged : AuthError

    /** Without this identity the user could not sign in any more. */
    public data object LastIdentity : AuthError

    /** The phone number becomes the user's at this time, and signs in from then on. */
    public data class PhoneChangePending(val movesAt: Date?) : AuthError

    /** The number may have another owner by now. The user can sign in by one of these methods instead. */
    public data class SecondIdentityRequired(val methods: List<String>) : AuthError

    /** The other account of a merge has more than was verified. One of these methods shows that it is the user's: see [merge]. */
    public data class MergeProofRequired(val methods: List<String>) : AuthError

    /** The identity was added or changed lately, and support has not confirmed it yet. */
    public data object AccountUnderReview : AuthError

    /** Any other refusal. `code` is stable; `requestId` finds the request in the server's logs. */
    public data class Refused(val status: Int, val code: String, val requestId: String?) : AuthError

    /**
     * A blocking call was interrupted, the user has left a provider's page or closed the sheet of passkeys, or a later sign-in has
     * taken the place of this one.
     * A cancelled coroutine gets its own `CancellationException`.
     */
    public data object Cancelled : AuthError

    /** Whether the session is still there. */
    public val keepsSession: Boolean get() = this !is SignedOut && this != AccountInactive

    /** Whether the same call may succeed later without any change by the user. */
    public val isWorthRetrying: Boolean
        get() = when (this) {
            is StoreUnavailable, Offline, TimedOut, is Unavailable, is RateLimited, NotLatchkey -> true
            else -> false
        }

    /** The time that the server asks to wait, or `null` if it does not. */
    public val retryAfter: Duration? get() = null
}

/** The reason why a code was refused. */
public enum class CodeRefusal { WRONG, EXPIRED }

/** The limit that a request has exceeded. */
public enum class RateLimit(internal val word: String) {
    /** Too many wrong codes: the user is locked out for a while. */
    LOCKED("lockout"),

    /** Too many messages were sent. */
    SENDS("sends"),

    /** Too many requests. */
    REQUESTS("requests"),
}

/** A failed call. It is an [IOException], so that an interceptor of OkHttp can throw it. */
public class AuthException(public val error: AuthError) : IOException(error.toString())

/** The reason why a session ended. */
public enum class SignOutReason(internal val word: String) {
    /** The user signed out here. */
    ASKED("asked"),

    /** The user signed out in another process that shares the store. */
    ELSEWHERE("elsewhere"),

    /** The server ended the session: signed out on another device, by an administrator, or by a change of the password. */
    ENDED("ended"),

    /** The session had not been used for too long. */
    EXPIRED("expired"),

    /** A refresh token was used twice, which the server takes for theft. */
    REUSED("reused"),

    /** The account was deactivated. */
    INACTIVE("inactive"),

    /** The account was deleted. */
    DELETED("deleted"),

    /** The stored session cannot be used: it is damaged, its key is gone, or a later release wrote it. */
    STORAGE_LOST("storageLost"),

    /** The app was installed again, and what an earlier installation had left was erased. */
    NEW_INSTALLATION("newInstallation"),
    ;

    internal companion object {
        fun of(word: String): SignOutReason? = entries.firstOrNull { it.word == word }
    }
}

/** The reason why the store did not answer. */
public sealed interface StoreTrouble {
    /** The device has not been unlocked since it started. */
    public data object ProtectedData : StoreTrouble

    /** The system refused access, with this error number. */
    public data class Denied(val code: Int) : StoreTrouble

    /** Reading failed. */
    public data object Unreadable : StoreTrouble

    /** Writing failed. */
    public data object Unwritable : StoreTrouble
}
