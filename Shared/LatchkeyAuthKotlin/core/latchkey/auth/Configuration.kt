package latchkey.auth

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow

/**
 * The settings of a [LatchkeyAuth]. `jvmConfiguration` and `androidConfiguration` fill in what belongs to their platform.
 *
 * @property baseUrl the server's address, such as `https://api.example.com`.
 * @property store the place where the session is stored.
 * @property transport the way in which requests reach the server.
 * @property clock the device's clocks.
 */
public class Configuration(
    public val baseUrl: String, public var store: SessionStore, public var transport: Transport, public var clock: DeviceClock,
) {
    /** Whether the base URL may be `http` on loopback and private addresses. Set it in debug builds only. */
    public var allowsHttp: Boolean = false

    /** Whether the store is read before the constructor returns. If not, the state is [State.Starting] until it was read. */
    public var readsAtOnce: Boolean = true
    public var surroundings: Surroundings = object : Surroundings {
        override val changes: Flow<Change> get() = emptyFlow()
    }

    /** The time before the end of an access token at which it is renewed; at most a fifth of its lifetime. */
    public var early: Duration = 300.seconds

    /** Hosts of other APIs that may have the access token, over https. */
    public var alsoSendTo: Set<String> = emptySet()

    /** The name of this device in the user's list of sessions. */
    public var deviceName: String? = null

    /**
     * Returns an id by which the server recognises this installation of the app when a user signs in, sent as `X-Device-Fingerprint`;
     * `null` for none. Do not use an id of the hardware. It is called on a thread of the library.
     */
    public var installationId: () -> String? = { null }

    /** The hash of an Android app, sent with each request for a text message: `SmsCodes.appHash`, if the policy has it. */
    public var appHash: String? = null

    /**
     * The system's part of restore keys, or `null` for none. A restore key is made after each sign-in, moves with the app's data to
     * the user's next phone, and is deleted at the sign-out: see [signInWithRestoreKey].
     */
    public var restoreKeys: PasskeyPlatform? = null

    /** Receives lines for a log. No line contains a token, code, phone number or address. */
    public var log: ((LogLine) -> Unit)? = null
}

/** A line for an app's log. No token, code, phone number or address is in any of them. */
public sealed interface LogLine {
    /** A request was answered. The route is a pattern, without ids. */
    public data class Answered(val method: String, val route: String, val status: Int, val requestId: String?) : LogLine {
        override fun toString(): String = "$method $route: $status" + (requestId?.let { ", request $it" } ?: "")
    }

    /** A request got no response. */
    public data class Unanswered(val method: String, val route: String, val error: AuthError) : LogLine {
        override fun toString(): String = "$method $route: $error"
    }

    /** The store could not be read or written. */
    public data class StoreFailed(val trouble: StoreTrouble) : LogLine {
        override fun toString(): String = "The session store failed: $trouble"
    }

    /** The base URL is `http` where only `https` is allowed, so nothing is sent. */
    public data object PlainHttpRefused : LogLine {
        override fun toString(): String =
            "The base URL is http. Use https; http needs allowsHttp, on loopback and private addresses only."
    }
}
