package latchkey.auth

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import kotlin.time.Duration
import kotlinx.coroutines.flow.Flow
import latchkey.auth.http.Objection
import latchkey.auth.http.Reply
import latchkey.auth.support.Json

/**
 * The place where a session is stored. One store holds one item.
 *
 * Several processes may use the same store at the same time. Nothing is ever deleted: a sign-out is an item as well. The
 * functions may block; the library calls them one at a time on a thread of its own. One that has not returned after 10 seconds
 * counts as failed.
 */
public interface SessionStore {
    /** Reads the item. Returns `null` only if there surely is none. */
    @Throws(StoreFailure::class)
    public fun load(): ByteArray?

    /**
     * Writes the item if the stored one is older, or if there is none.
     *
     * Comparing and writing must be one atomic step for all processes. If they are two, a process can write an old token
     * over a newer one, and the next renewal ends the session.
     *
     * @param version the item's version. [StoreVersion.of] reads that of the stored item.
     * @return `null` if the item was written, or the stored one if that is as new or newer.
     */
    @Throws(StoreFailure::class)
    public fun keepNewer(data: ByteArray, version: StoreVersion): ByteArray?
}

/** A stored item's version: the epoch counts sign-ins and sign-outs, the generation renewals. The higher one wins. */
public data class StoreVersion(val epoch: Long, val generation: Long) : Comparable<StoreVersion> {
    override fun compareTo(other: StoreVersion): Int =
        if (epoch != other.epoch) epoch.compareTo(other.epoch) else generation.compareTo(other.generation)

    public companion object {
        /** Counts stay below this, so that the next one is a number as well. */
        private const val COUNT_MAX = Long.MAX_VALUE / 2

        /** Returns the version of an item, or `null` if it is damaged. A damaged item is older than every other. */
        @JvmStatic
        public fun of(data: ByteArray): StoreVersion? {
            val members = Json.members(data) ?: return null
            val epoch = members["epoch"] as? Long ?: return null
            val generation = members["generation"] as? Long ?: return null
            return if (epoch in 0..COUNT_MAX && generation in 0..COUNT_MAX) StoreVersion(epoch, generation) else null
        }
    }
}

/** A failure of the store. */
public class StoreFailure @JvmOverloads constructor(
    public val trouble: StoreTrouble, cause: Throwable? = null,
) : IOException(trouble.toString(), cause)

/**
 * The way in which requests reach the server.
 *
 * A transport follows no redirect, keeps no cookies and no cache, and repeats no request automatically. It may block: the
 * library calls it on a thread of its own, and interrupts that thread when no caller waits for the response any more.
 */
public fun interface Transport {
    /** Sends a request. Throws any [IOException] if there is no response, or [AuthException] where it knows better. */
    @Throws(IOException::class)
    public fun send(request: HttpRequest): HttpResponse
}

/**
 * A request.
 *
 * @property stream a body that can be read only once, in place of [body]. Such a request is sent once, also after a 401.
 */
public class HttpRequest @JvmOverloads constructor(
    public val method: String, public val url: String, public val headers: Map<String, String> = emptyMap(),
    public val body: ByteArray? = null, public val stream: InputStream? = null,
) {
    /** Returns a header's value; its name may be written in any case. */
    public fun header(name: String): String? = headers.entries.firstOrNull { it.key.equals(name, ignoreCase = true) }?.value

    override fun toString(): String = "HttpRequest($method)"

    internal fun with(bearer: String?): HttpRequest {
        if (bearer == null) return this
        val others = headers.filterKeys { !it.equals(AUTHORIZATION, ignoreCase = true) }
        return HttpRequest(method, url, others + (AUTHORIZATION to "Bearer $bearer"), body, stream)
    }

    private companion object {
        const val AUTHORIZATION = "Authorization"
    }
}

/** A response. */
public class HttpResponse(public val status: Int, headers: Map<String, String>, public val body: ByteArray) {
    private val headers = headers.mapKeys { it.key.lowercase() }

    /** Returns a header's value; its name may be written in any case. */
    public fun header(name: String): String? = headers[name.lowercase()]

    /** Whether it says that the user's account is not active. An API may say so as well, so it ends no session. */
    public val saysInactive: Boolean get() = Reply(this).isInactive

    /** Whether it says that the user has to show again who they are ([LatchkeyAuth.onReauthenticate]). */
    public val wantsProof: Boolean get() = Reply(this).objection == Objection.RECENCY

    override fun toString(): String = "HttpResponse($status)"

    public companion object {
        /** Responses of the API are a few kilobytes. A transport may stop reading after this many bytes. */
        public const val BYTES_MAX: Int = 1 shl 20

        /** Reads a body, for a transport: all of it, or one byte more than [BYTES_MAX]. */
        @JvmStatic
        @Throws(IOException::class)
        public fun bodyOf(stream: InputStream): ByteArray {
            val out = ByteArrayOutputStream()
            val buffer = ByteArray(8192)
            while (out.size() <= BYTES_MAX) {
                val count = stream.read(buffer, 0, minOf(buffer.size, BYTES_MAX + 1 - out.size()))
                if (count < 0) break
                out.write(buffer, 0, count)
            }
            return out.toByteArray()
        }
    }
}

/** The device's clocks. */
public interface DeviceClock {
    /** The time on a clock that cannot be set and that goes on while the device sleeps. Lifetimes are counted on it. */
    public val now: Duration

    /**
     * The date in Unix seconds. It may be wrong: it only serves to compare times across a restart of the app.
     */
    public val wallSeconds: Long

    /** Waits until [now] has reached this time. */
    public suspend fun sleepUntil(time: Duration)
}

/** The changes of the device and the app that matter to a session, from the time of their collection on. */
public interface Surroundings {
    public val changes: Flow<Change>
}

/** A change of the device or the app. */
public enum class Change {
    /** The app came to the foreground. */
    FOREGROUND,

    /** The app went to the background. The access token and the profile leave the memory. */
    BACKGROUND,

    /** The device was unlocked for the first time since it started. */
    PROTECTED_DATA_THERE,

    /** The network came back. */
    NETWORK_BACK,
}
