package latchkey.checks

import java.util.Collections
import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.CompletableDeferred
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.Configuration
import latchkey.auth.HttpRequest
import latchkey.auth.HttpResponse
import latchkey.auth.LatchkeyAuth
import latchkey.auth.PasskeyKind
import latchkey.auth.PasskeyPlatform
import latchkey.auth.SessionStore
import latchkey.auth.Transport
import latchkey.auth.support.Json

/** What Android's documentation prints of Credential Manager's results. */
object Recorded {
    const val CREATED =
        """{"id":"KEDetxZcUfinhVi6Za5nZQ","type":"public-key","rawId":"KEDetxZcUfinhVi6Za5nZQ","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoibmhrUVhmRTU5SmI5N1Z5eU5Ka3ZEaVh1Y01Fdmx0ZHV2Y3JEbUdyT0RIWSIsIm9yaWdpbiI6ImFuZHJvaWQ6YXBrLWtleS1oYXNoOk1MTHpEdll4UTRFS1R3QzZVNlpWVnJGUXRIOEdjVi0xZDQ0NEZLOUh2YUkiLCJhbmRyb2lkUGFja2FnZU5hbWUiOiJjb20uZ29vZ2xlLmNyZWRlbnRpYWxtYW5hZ2VyLnNhbXBsZSJ9","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUj5r_fLFhV-qdmGEwiukwD5E_5ama9g0hzXgN8thcFGRdAAAAAAAAAAAAAAAAAAAAAAAAAAAAEChA3rcWXFH4p4VYumWuZ2WlAQIDJiABIVgg4RqZaJyaC24Pf4tT-8ONIZ5_Elddf3dNotGOx81jj3siWCAWXS6Lz70hvC2g8hwoLllOwlsbYatNkO2uYFO-eJID6A"}}"""
    const val SIGNED =
        """{"id":"KEDetxZcUfinhVi6Za5nZQ","type":"public-key","rawId":"KEDetxZcUfinhVi6Za5nZQ","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiVDF4Q3NueE0yRE5MMktkSzVDTGE2Zk1oRDdPQnFobzZzeXpJbmtfbi1VbyIsIm9yaWdpbiI6ImFuZHJvaWQ6YXBrLWtleS1oYXNoOk1MTHpEdll4UTRFS1R3QzZVNlpWVnJGUXRIOEdjVi0xZDQ0NEZLOUh2YUkiLCJhbmRyb2lkUGFja2FnZU5hbWUiOiJjb20uZ29vZ2xlLmNyZWRlbnRpYWxtYW5hZ2VyLnNhbXBsZSJ9","authenticatorData":"j5r_fLFhV-qdmGEwiukwD5E_5ama9g0hzXgN8thcFGQdAAAAAA","signature":"MEUCIQCO1Cm4SA2xiG5FdKDHCJorueiS04wCsqHhiRDbbgITYAIgMKMFirgC2SSFmxrh7z9PzUqr0bK1HZ6Zn8vZVhETnyQ","userHandle":"2HzoHm_hY0CjuEESY9tY6-3SdjmNHOoNqaPDcZGzsr0"},"authenticatorAttachment":"platform","clientExtensionResults":{"credProps":{"rk":true}}}"""

    /** Options for a registration, as the server makes them. */
    const val TO_CREATE =
        """{"rp":{"id":"example.com","name":"Example"},"user":{"id":"aGFuZGxl","name":"+15551234567","displayName":"+15551234567"},"challenge":"Y2hhbGxlbmdl","pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},{"type":"public-key","alg":-257}],"excludeCredentials":[],"authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"userVerification":"required"},"attestation":"none","timeout":300000}"""
    const val TO_SIGN =
        """{"challenge":"Y2hhbGxlbmdl","rpId":"example.com","timeout":300000,"userVerification":"required","allowCredentials":[]}"""
}

/** Returns a JSON object as its members, which compare without their order and spaces. */
fun membersOf(text: String): Map<String, Any?> = Json.members(text.encodeToByteArray()) ?: throw AssertionError("no JSON: $text")

/** A Latchkey with passkeys, in this process. */
class PasskeyServer : Transport {
    /** Method and path of each request. */
    val seen: MutableList<String> = Collections.synchronizedList(ArrayList())
    val bodies = ConcurrentHashMap<String, Map<String, Any?>>()

    /** Responses in place of the usual ones: a status and a body. */
    val answers = ConcurrentHashMap<String, Pair<Int, String>>()
    val isOffline: MutableSet<String> = Collections.newSetFromMap(ConcurrentHashMap())
    private var sessions = 0

    override fun send(request: HttpRequest): HttpResponse {
        val route = "${request.method} ${request.url.removePrefix(BASE)}"
        seen.add(route)
        request.body?.let { bodies[route] = membersOf(it.decodeToString()) }
        if (route in isOffline) throw AuthException(AuthError.Offline)
        val (status, body) = answers[route] ?: usual(route)
        return HttpResponse(status, emptyMap(), body.encodeToByteArray())
    }

    private fun usual(route: String): Pair<Int, String> = when (route) {
        "POST /auth/login", "POST /auth/passkeys/verify" -> 200 to opened()
        "POST /auth/passkeys/options", "POST /auth/reauthenticate/options" -> 200 to """{"challengeId":"ch_1","expiresAt":1,"publicKey":${Recorded.TO_SIGN}}"""
        "POST /users/me/passkeys/options" -> 200 to """{"challengeId":"ch_2","expiresAt":1,"publicKey":${Recorded.TO_CREATE}}"""
        "POST /users/me/passkeys" -> 201 to row("psk_1", "a")
        "GET /users/me/passkeys" -> 200 to """{"passkeys":[${row("psk_1", "a")},${row("psk_2", "b")},${row("psk_3", "a", "restore")}]}"""
        "GET /.well-known/latchkey" -> 200 to """{"passkeys":{"rpID":"example.com","restoreKeys":true}}"""
        "POST /auth/reauthenticate" -> 200 to """{"success":true,"refresh":true}"""
        "POST /auth/refresh" -> 200 to tokens()
        else -> if (route.startsWith("DELETE /users/me/passkeys/")) 204 to "" else 200 to """{"success":true,"id":"usr_1"}"""
    }

    private fun opened() = """{"success":true,"isNewUser":false,"user":{"id":"usr_1"},"tokens":${tokens()}}"""

    @Synchronized
    private fun tokens(): String = (++sessions).let { """{"accessToken":"A$it","refreshToken":"T$it","expiresIn":3600}""" }

    companion object {
        const val BASE = "https://api.example.com"

        fun row(id: String, handle: String, kind: String = "passkey") =
            """{"id":"$id","name":"Phone","kind":"$kind","createdAt":1,"backedUp":true,"transports":["internal"],"aaguid":"","credentialId":"c_$id","userHandle":"$handle"}"""
    }
}

/** A device that answers as recorded. */
class RecordedDevice : PasskeyPlatform {
    val calls: MutableList<String> = Collections.synchronizedList(ArrayList())
    val options = ConcurrentHashMap<String, String>()
    val signals: MutableList<Map<String, Any?>> = Collections.synchronizedList(ArrayList())

    @Volatile
    var failure: Throwable? = null

    /** Held by a check to keep the device waiting. */
    @Volatile
    var gate = CompletableDeferred(Unit)

    /** Called while the restore key is deleted. */
    @Volatile
    var onClear: suspend () -> Unit = {}

    override suspend fun create(options: String, kind: PasskeyKind): String = answer("create $kind", options, Recorded.CREATED)

    override suspend fun get(options: String, kind: PasskeyKind): String = answer("get $kind", options, Recorded.SIGNED)

    override suspend fun clearRestoreKey() {
        calls.add("clear")
        onClear()
    }

    override suspend fun signalAccepted(accepted: String) {
        signals.add(membersOf(accepted))
    }

    private suspend fun answer(call: String, options: String, result: String): String {
        calls.add(call)
        this.options[call] = options
        try {
            gate.await()
        } finally {
            if (gate.isActive) calls.add("closed")
        }
        failure?.let { throw it }
        return result
    }
}

/** A session with that server. With a device, it has restore keys. */
fun passkeySession(
    server: PasskeyServer, keys: RecordedDevice? = null, store: SessionStore = MemoryStore(), clock: MovedClock = MovedClock(),
): LatchkeyAuth {
    val configuration = Configuration(PasskeyServer.BASE, store, server, clock)
    configuration.restoreKeys = keys
    return LatchkeyAuth(configuration)
}
