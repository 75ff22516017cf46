package latchkey.auth.record

import latchkey.auth.SignOutReason
import latchkey.auth.SignOutScope
import latchkey.auth.StoreVersion
import latchkey.auth.User
import latchkey.auth.support.Base64Url
import latchkey.auth.support.Json

/** The content of the store: one JSON object of at most 4 KiB. */
internal sealed interface StoredItem {
    /** The item's version; (0, 0) if there is none. */
    val version: StoreVersion

    /** Sign-outs that the server has not confirmed. */
    val kept: List<KeptSignOut> get() = emptyList()

    /** Surely nothing: no user has ever signed in here. */
    data object Nothing : StoredItem {
        override val version: StoreVersion get() = StoreVersion(0, 0)
    }

    data class Record(val record: SessionRecord, override val kept: List<KeptSignOut> = emptyList()) : StoredItem {
        override val version: StoreVersion get() = record.version
    }

    /** The last session ended. The item stays, so that a renewal that arrives late cannot bring the session back. */
    data class SignedOut(
        override val version: StoreVersion, val reason: SignOutReason, override val kept: List<KeptSignOut> = emptyList(),
    ) : StoredItem

    /** An item that this release cannot use. It is kept until the next sign-in replaces it. */
    data class Lost(val epoch: Long) : StoredItem {
        override val version: StoreVersion get() = StoreVersion(epoch, 0)
    }

    /** Returns the item as text. What can be fetched again is left out where it would be too long. */
    fun encoded(): ByteArray = when (this) {
        is Record -> bounded(record.members())
        is SignedOut -> bounded(
            mapOf("v" to FORMAT, "epoch" to version.epoch, "generation" to version.generation, "signedOut" to reason.word),
        )
        Nothing, is Lost -> ByteArray(0)
    }

    private fun bounded(content: Map<String, Any?>): ByteArray {
        val members = if (kept.isEmpty()) content else content + ("unconfirmed" to kept.map { it.members })
        val texts = DROPS.asSequence().map { Json.encode(members - it) }
        return texts.firstOrNull { it.size <= BYTES_MAX } ?: Json.encode(members)
    }

    companion object {
        /** The format's version. A later release that adds members keeps `min` at 1 as long as this release can ignore them. */
        private const val FORMAT = 1L
        private const val BYTES_MAX = 4096
        private val DROPS = listOf(emptySet(), setOf("user"), setOf("user", "accessToken", "unconfirmed"))
        private val KNOWN = setOf(
            "v", "epoch", "generation", "origin", "secret", "refreshToken", "accessToken", "issuedAt", "expiresIn",
            "userID", "user", "proof", "isNewUser", "unconfirmed",
        )

        /**
         * Reads an item.
         *
         * @param origin the base URL; the record of another server is lost, since its tokens must not reach this one.
         */
        fun of(data: ByteArray?, origin: String): StoredItem {
            if (data == null) return Nothing
            val version = StoreVersion.of(data) ?: return Lost(0)
            val members = Json.members(data) ?: return Lost(0)
            val format = members["v"] as? Long ?: 0
            val isReadable = format == FORMAT || format > FORMAT && (members["min"] as? Long ?: format) <= 1
            if (!isReadable) return Lost(version.epoch)
            val kept = (members["unconfirmed"] as? List<*>).orEmpty().mapNotNull { KeptSignOut.of(it, origin) }
            val reason = members["signedOut"] as? String
            if (reason != null) return SignedOut(version, SignOutReason.of(reason) ?: SignOutReason.ENDED, kept)
            val record = record(members, version)
            return if (record != null && record.origin == origin) Record(record, kept) else Lost(version.epoch)
        }

        private fun record(members: Map<String, Any?>, version: StoreVersion): SessionRecord? {
            val secret = members["secret"] as? String ?: return null
            val refresh = members["refreshToken"] as? String ?: return null
            val life = members["expiresIn"] as? Long ?: return null
            if (Base64Url.decode(secret)?.size != 32 || life !in Tokens.LIFETIMES || refresh.isEmpty()) return null
            return SessionRecord(
                origin = members["origin"] as? String ?: return null, version = version, secret = secret,
                refreshToken = refresh, accessToken = members["accessToken"] as? String,
                issuedAt = members["issuedAt"] as? Long ?: return null, expiresIn = life,
                userId = members["userID"] as? String ?: return null, user = User.of(members["user"]),
                proof = members["proof"] as? String, isNewUser = members["isNewUser"] == true,
                format = members["v"] as? Long ?: FORMAT, others = members - KNOWN,
            )
        }

        private fun SessionRecord.members(): Map<String, Any?> {
            val members = LinkedHashMap(others)
            // A record that a later release wrote keeps its format, together with its other members.
            members["v"] = format
            members["epoch"] = version.epoch
            members["generation"] = version.generation
            members["origin"] = origin
            members["secret"] = secret
            members["refreshToken"] = refreshToken
            accessToken?.let { members["accessToken"] = it }
            members["issuedAt"] = issuedAt
            members["expiresIn"] = expiresIn
            members["userID"] = userId
            user?.let { members["user"] = it.members }
            proof?.let { members["proof"] = it }
            if (isNewUser) members["isNewUser"] = true
            return members
        }
    }
}

/**
 * A sign-out that the server has not confirmed yet, as it is stored. It renews nothing: it has the access token of the session
 * that ended, or the refresh token where there was none.
 */
internal data class KeptSignOut(
    val accessToken: String?, val refreshToken: String?, val scope: SignOutScope = SignOutScope.THIS_SESSION,
    /** The date of the sign-out, in Unix seconds of the device. It tells the sign-outs apart. */
    val since: Long = 0,
    /** The base URL. The token is never sent anywhere else. */
    val origin: String? = null,
) {
    /** Whether it names its session. A mark without a token, as a web page keeps it, would end another one. */
    val hasToken: Boolean get() = accessToken != null || refreshToken != null

    val members: Map<String, Any?>
        get() = mapOf(
            "accessToken" to accessToken, "refreshToken" to refreshToken,
            "scope" to scope.word.takeIf { scope == SignOutScope.ALL }, "since" to since, "origin" to origin,
        ).filterValues { it != null }

    override fun toString(): String = "KeptSignOut($scope, $since)"

    companion object {
        /** Returns a sign-out as it is stored, or `null` without a date, or if it is of another server. */
        fun of(json: Any?, origin: String): KeptSignOut? {
            val members = json as? Map<*, *> ?: return null
            if ((members["origin"] ?: origin) != origin) return null
            val since = (members["since"] as? Long)?.takeIf { it >= 0 } ?: return null
            val scope = if (members["scope"] == SignOutScope.ALL.word) SignOutScope.ALL else SignOutScope.THIS_SESSION
            return KeptSignOut(members["accessToken"] as? String, members["refreshToken"] as? String, scope, since, origin)
        }
    }
}
