package latchkey.auth

import java.util.Date

/** A user's profile, as the server last returned it. */
public class User internal constructor(internal val members: Map<String, Any?>) {
    /** The public id, such as `usr_` and 32 hexadecimal digits. */
    public val id: String get() = members["id"] as? String ?: ""

    /** The phone number with `+` and country code. */
    public val phoneNumber: String? get() = members["phoneNumber"] as? String
    public val email: String? get() = members["email"] as? String
    public val name: String? get() = members["name"] as? String
    public val role: String? get() = members["role"] as? String
    public val createdAt: Date? get() = (members["createdAt"] as? Long)?.let(::dateOfSeconds)

    /** The attributes that the server's policy declares, such as `isChecker`: each a `Boolean`, a `Long` or a `String`. */
    public val attributes: Map<String, Any> get() = members.filterKeys { it !in COMMON }.mapValues { it.value as Any }

    override fun equals(other: Any?): Boolean = other is User && members == other.members

    override fun hashCode(): Int = members.hashCode()

    /** Prints the id only: phone number, email address and name do not belong in a log. */
    override fun toString(): String = "User($id)"

    internal companion object {
        private val COMMON = setOf("id", "phoneNumber", "email", "name", "role", "createdAt")

        /** Returns a user as the server's JSON describes them, or `null` without an id. */
        fun of(json: Any?): User? {
            val members = json as? Map<*, *> ?: return null
            val id = members["id"] as? String ?: return null
            if (id.isEmpty() || id.length > 256) return null
            val known = LinkedHashMap<String, Any?>()
            for ((name, value) in members) {
                if (name is String && (value is String || value is Long || value is Boolean)) known[name] = value
            }
            return User(known)
        }
    }
}

/** One of the user's sessions, for a screen that lists where they are signed in. */
public data class SessionInfo(
    val id: String,
    /** The name that the device gave itself, or else a description of its software. */
    val deviceName: String?,
    val createdAt: Date,
    /** The time of the last renewal, or of the sign-in. */
    val lastUsedAt: Date,
    /** Whether it is the session of this app. */
    val isCurrent: Boolean,
) {
    internal companion object {
        /** Returns a session as the server's JSON describes it, or `null` if a member is missing. */
        fun of(json: Any?): SessionInfo? {
            val members = json as? Map<*, *> ?: return null
            return SessionInfo(
                members["id"] as? String ?: return null, members["deviceName"] as? String,
                dateOfSeconds(members["createdAt"] as? Long ?: return null),
                dateOfSeconds(members["lastUsedAt"] as? Long ?: return null), members["current"] == true,
            )
        }
    }
}

/** The sessions that a sign-out ends. */
public enum class SignOutScope(internal val word: String) {
    /** The session of this app. */
    THIS_SESSION("session"),

    /** All sessions of the user, on every device. */
    ALL("all"),

    /** All sessions of the user but that of this app. The user stays signed in here. */
    OTHERS("others"),
}

/** The result of a sign-out. The user is signed out on this device in any case. */
public data class SignOutResult(
    /** Whether the sign-out is stored, so that it holds after a restart of the app. */
    val isStored: Boolean,
    /** Whether the server has ended the session. If not, it is told later: when the network is back, and at the next start. */
    val isConfirmed: Boolean,
)

/** The result of Sign in with Apple. */
public data class AppleCredential(
    val identityToken: String,
    /** The server needs it to revoke Apple's tokens when the account is deleted. */
    val authorizationCode: String? = null,
    /** The random value whose SHA-256, as lower-case hexadecimal digits, was the request's `nonce`. */
    val nonce: String? = null,
    /** The name, which Apple gives at the first sign-in only. */
    val fullName: String? = null,
    val email: String? = null,
) {
    override fun toString(): String = "AppleCredential(‹redacted›)"
}

/** A successful sign-in. */
public data class SignIn(
    val user: User,
    /** Whether the user did not exist before: show the onboarding. */
    val isNewUser: Boolean,
    /** Whether the sign-in cancelled a scheduled deletion of the account. */
    val wasRestored: Boolean,
)

internal fun dateOfSeconds(seconds: Long): Date = Date(seconds * 1000)
