package latchkey.auth

import latchkey.auth.http.Call
import latchkey.auth.machine.MachineEvent
import latchkey.auth.support.Digests
import latchkey.auth.support.Percent

// The user's profile, account and sessions.

/** Reads the profile from the server. */
public suspend fun LatchkeyAuth.reloadUser(): User = keep(authorized(Call("GET", "/users/me")))

/** Changes the user's name; `null` removes it. */
public suspend fun LatchkeyAuth.update(name: String?): User = update(mapOf("name" to name))

/**
 * Changes members of the profile. Phone number and email address are identities: see [addIdentity].
 *
 * @param attributes the members to change, such as `mapOf("name" to "Betty")`: each a `Boolean`, a `Long`, an `Int` or a
 *   `String`. A value of `null` removes one.
 */
public suspend fun LatchkeyAuth.update(attributes: Map<String, Any?>): User =
    keep(authorized(Call("PATCH", "/users/me", body = attributes)))

/**
 * Changes the password. Where the server's policy says so, all sessions end, this one included. Throws
 * [AuthError.PasswordRefused] if the old password is wrong.
 */
public suspend fun LatchkeyAuth.changePassword(old: String, new: String) {
    val body = mapOf("oldPassword" to old, "newPassword" to new)
    authorized(Call("POST", "/auth/change-password", body = body, idempotencyKey = Digests.token()))
}

/**
 * Deletes the account, or schedules its deletion, as the server's policy says. The user is signed out.
 *
 * @param password the user's password, to be checked by the server; `null` if they have none.
 */
public suspend fun LatchkeyAuth.deleteAccount(password: String? = null) {
    val body = password?.let { mapOf("password" to it) }
    authorized(Call("DELETE", if (body == null) "/users/me" else "/auth/account", body = body))
    try {
        restoreKeys?.clear()
    } finally {
        engine.feed { MachineEvent.Over(SignOutReason.DELETED) }
    }
}

/** Lists where the user is signed in, newest first. */
public suspend fun LatchkeyAuth.sessions(): List<SessionInfo> {
    val sessions = authorized(Call("GET", "/sessions"))["sessions"] as? List<*>
    return sessions?.mapNotNull { SessionInfo.of(it) } ?: throw AuthException(AuthError.NotLatchkey)
}

/** Ends a session of the user. Use [LatchkeyAuth.signOut] for the session of this app. */
public suspend fun LatchkeyAuth.endSession(id: String) {
    authorized(Call("DELETE", "/sessions/${Percent.encode(id)}", route = "/sessions/{id}"))
}

private fun LatchkeyAuth.keep(json: Map<String, Any?>): User {
    val user = User.of(json) ?: throw AuthException(AuthError.NotLatchkey)
    engine.feed { MachineEvent.UserChanged(user) }
    return user
}
