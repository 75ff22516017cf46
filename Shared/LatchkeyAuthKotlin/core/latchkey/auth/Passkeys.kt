package latchkey.auth

import java.util.Date
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import latchkey.auth.http.Call
import latchkey.auth.machine.MachineEvent
import latchkey.auth.support.Json
import latchkey.auth.support.Percent

// Passkeys: signing in, adding one, and the list of the user's own.

/** One of the user's passkeys. */
public data class Passkey(
    /** The id by which it is renamed and removed. */
    val id: String,
    /** The name in the user's list. */
    val name: String,
    /** Lists for users show passkeys only, since the system makes restore keys without them. */
    val kind: PasskeyKind,
    val createdAt: Date,
    /** The time of the last use; `null` if there was none. */
    val lastUsedAt: Date?,
    /** The time from which it can be used, or `null` if it can be used already. The user was told about it, and can object. */
    val activeFrom: Date?,
    /** Whether the system keeps a copy, such as in the user's account at Google. */
    val isBackedUp: Boolean,
    /** How it reaches a device, such as `internal` or `hybrid`. */
    val transports: List<String>,
    /** The model of the authenticator as a UUID, which nothing proves. */
    val aaguid: String?,
    internal val credentialId: String?,
    internal val userHandle: String?,
) {
    /** Prints neither the name, which may be the user's own, nor what identifies the credential. */
    override fun toString(): String = "Passkey($id, $kind)"

    internal companion object {
        /** Returns a passkey as the server's JSON describes it, or `null` if a member is missing. */
        fun of(json: Any?): Passkey? {
            val members = json as? Map<*, *> ?: return null
            return Passkey(
                members["id"] as? String ?: return null, members["name"] as? String ?: "",
                PasskeyKind.entries.firstOrNull { it.word == members["kind"] } ?: return null,
                dateOfSeconds(members["createdAt"] as? Long ?: return null),
                (members["lastUsedAt"] as? Long)?.let(::dateOfSeconds), (members["activeFrom"] as? Long)?.let(::dateOfSeconds),
                members["backedUp"] == true, (members["transports"] as? List<*>).orEmpty().filterIsInstance<String>(),
                members["aaguid"] as? String, members["credentialId"] as? String, members["userHandle"] as? String,
            )
        }
    }
}

internal const val OWN_PASSKEYS = "/users/me/passkeys"

/**
 * Signs in with a passkey that the user chooses in the system's sheet. Two calls at once show one sheet.
 *
 * Throws [AuthError.Cancelled] if the user has closed the sheet, [AuthError.NoPasskey] if the device has none for this app, and
 * [AuthError.PasskeyRefused] if the server does not accept it. Nothing has changed then, also if another user is signed in.
 */
public suspend fun LatchkeyAuth.signInWithPasskey(platform: PasskeyPlatform): SignIn = once.run("passkey") {
    val ceremony = Ceremony.of(post("/auth/passkeys/options", emptyMap(), key = null))
    val proof = ceremony.proof { platform.get(it, PasskeyKind.PASSKEY) }
    val signIn = redeem("/auth/passkeys/verify", proof, ceremony.key)
    engine.begin { quietly { passkeyDomain()?.let { signalAccepted(platform, it, ownPasskeys()) } } }
    signIn
}

/**
 * Sends a challenge's proof. A lost connection is tried once more, since the user would have to confirm again; the server opens one
 * session for both requests.
 */
internal suspend fun LatchkeyAuth.redeem(path: String, proof: Map<String, Any?>, key: String): SignIn =
    againIfOffline { open(path, proof, key) }

/**
 * Adds a passkey that the system's sheet makes. Two calls at once show one sheet. It may have to wait ([Passkey.activeFrom]).
 *
 * Throws [AuthError.Cancelled] if the user has closed the sheet, and [AuthError.PasskeyExists] if this device has one already.
 * Nothing has changed then.
 *
 * @param name the name in the user's list; that of the device, if there is none.
 */
public suspend fun LatchkeyAuth.addPasskey(platform: PasskeyPlatform, name: String? = null): Passkey {
    accessToken()
    val epoch = epoch
    return adding.run("$epoch") { add(platform, name, epoch) }
}

private suspend fun LatchkeyAuth.add(platform: PasskeyPlatform, name: String?, epoch: Long?): Passkey {
    val ceremony = Ceremony.of(offered { authorized(Call("POST", "$OWN_PASSKEYS/options", body = emptyMap())) })
    val proof = ceremony.proof { platform.create(it, PasskeyKind.PASSKEY) }
    // Another user may have signed in while the sheet was open.
    if (this.epoch != epoch) throw sessionIsOver()
    val body = proof + ("name" to (name ?: configuration.deviceName))
    val call = Call("POST", OWN_PASSKEYS, body = body.filterValues { it != null }, idempotencyKey = ceremony.key)
    return Passkey.of(againIfOffline { offered { authorized(call) } }) ?: throw AuthException(AuthError.NotLatchkey)
}

/** Sends a request to a path that a server without passkeys or second factors does not have. */
internal suspend fun <T> offered(call: suspend () -> T): T = try {
    call()
} catch (failure: AuthException) {
    val isMissing = (failure.error as? AuthError.Refused)?.let { it.status == 404 && it.code == "not_found" }
    throw if (isMissing == true) AuthException(AuthError.MethodNotOffered) else failure
}

/** Lists the user's passkeys and restore keys, oldest first. */
public suspend fun LatchkeyAuth.passkeys(): List<Passkey> = ownPasskeys().filterNotNull()

/** Lists the user's passkeys, with `null` for each that this release cannot read. */
private suspend fun LatchkeyAuth.ownPasskeys(): List<Passkey?> {
    val response = offered { authorized(Call("GET", OWN_PASSKEYS)) }
    val passkeys = response["passkeys"] as? List<*> ?: throw AuthException(AuthError.NotLatchkey)
    return passkeys.map { Passkey.of(it) }
}

/** Renames a passkey of the list. */
public suspend fun LatchkeyAuth.renamePasskey(id: String, name: String) {
    authorized(Call("PATCH", "$OWN_PASSKEYS/${Percent.encode(id)}", "$OWN_PASSKEYS/{id}", mapOf("name" to name)))
}

/**
 * Removes a passkey of the list. The sessions that it has opened end, which may be this one.
 *
 * @param platform the system's part, which then offers it no more; `null` if it is not to be told.
 */
public suspend fun LatchkeyAuth.removePasskey(id: String, platform: PasskeyPlatform? = null) {
    // Afterwards the session may be over.
    val domain = platform?.let { passkeyDomain() }
    val known = if (domain == null) emptyList() else ownPasskeys()
    authorized(Call("DELETE", "$OWN_PASSKEYS/${Percent.encode(id)}", "$OWN_PASSKEYS/{id}"))
    // A session that the passkey has opened is over.
    engine.feed { MachineEvent.Outdated }
    quietly { accessToken() }
    if (platform != null && domain != null) quietly { signalAccepted(platform, domain, known, removed = id) }
}

/** Returns the domain that passkeys belong to, or `null` if it is not known. */
private suspend fun LatchkeyAuth.passkeyDomain(): String? = try {
    discover().passkeyDomain
} catch (_: AuthException) {
    null
}

/**
 * Tells the system which passkeys the server accepts. The system hides or deletes all others of the same handle, so nothing is told
 * unless the list is whole. After a merge an account has several handles.
 */
private suspend fun signalAccepted(platform: PasskeyPlatform, domain: String, known: List<Passkey?>, removed: String? = null) {
    if (known.any { it?.credentialId == null || it.userHandle == null }) return
    val passkeys = known.filterNotNull().filter { it.kind == PasskeyKind.PASSKEY }
    for ((handle, ofHandle) in passkeys.groupBy { it.userHandle }) {
        val ids = ofHandle.filter { it.id != removed }.map { it.credentialId }
        val signal = mapOf("rpId" to domain, "userId" to handle, "allAcceptedCredentialIds" to ids)
        platform.signalAccepted(Json.encode(signal).decodeToString())
    }
}

/** Runs work whose failure changes nothing for the caller. */
internal suspend fun quietly(work: suspend () -> Unit) {
    try {
        work()
    } catch (_: Exception) {
        // It is done again with the next occasion. Only a caller who was cancelled does not go on.
        currentCoroutineContext().ensureActive()
    }
}

/** Runs a call, and once more if the connection was lost. */
internal suspend fun <T> againIfOffline(call: suspend () -> T): T = try {
    call()
} catch (failure: AuthException) {
    if (failure.error == AuthError.Offline) call() else throw failure
}
