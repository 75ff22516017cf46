import org.json.JSONObject
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.UUID

/** The values that the app keeps between two starts; `refreshKey` is the Idempotency-Key of a refresh that is not yet answered. */
data class Kept(val accessToken: String, val refreshToken: String, val refreshKey: String? = null)

/** A file under a KeyStore key, outside backups. A value passed to `write` must be there after the app was killed. */
interface Store {
    fun read(): Kept?
    fun write(kept: Kept?)
}

/** The code is wrong or too old. */
class CodeRefused : Exception()

/** The user is no longer signed in: show the sign-in page. */
class SignedOut : Exception()

/** The network or the server is away or asks to wait (429, 503): everything is kept, try again later. */
class TryLater(message: String) : IOException(message)

data class Call(val method: String, val url: String, val headers: Map<String, String>, val body: String?)

data class Answer(val status: Int, val body: String)

/** Blocks, so call it off the main thread. */
class Latchkey(private val base: String, private val store: Store, private val send: (Call) -> Answer = ::overHTTP) {
    /** Has a code sent to the phone, e.g. +15551234567. */
    fun requestCode(phoneNumber: String) {
        val answer = post("/auth/otp/request", JSONObject().put("phoneNumber", phoneNumber))
        if (answer.status != 200) throw IOException("no code was sent: ${answer.status}")
    }

    /** Signs in. Make `attempt` when the user has typed the code, and repeat with the same: it stays one session. */
    @Synchronized
    fun signIn(phoneNumber: String, code: String, attempt: String = UUID.randomUUID().toString()) {
        val body = JSONObject().put("phoneNumber", phoneNumber).put("code", code)
        val answer = post("/auth/otp/verify", body, attempt)
        if (answer.status != 200) throw CodeRefused()
        store.write(tokens(JSONObject(answer.body).getJSONObject("tokens")))
    }

    /** Calls your API through the gateway, once more with new tokens if the gateway refuses the old one. */
    fun call(path: String, method: String = "GET", body: String? = null): Answer {
        val kept = signedIn()
        val answer = callOnce(path, method, body, kept)
        return if (answer.status == 401) callOnce(path, method, body, renew(kept)) else answer
    }

    /** Ends the session. The tokens are gone from here in any case; `TryLater` says that the server has not heard of it. */
    @Synchronized
    fun signOut() {
        val kept = store.read() ?: return
        store.write(null)
        post("/auth/logout", JSONObject().put("refreshToken", kept.refreshToken))
    }

    /** New tokens in place of `refused`: one refresh at a time, shared by all calls that wait for it. */
    @Synchronized
    private fun renew(refused: Kept): Kept {
        var kept = signedIn()
        if (kept.accessToken != refused.accessToken) return kept // Another call has been faster.
        val key = kept.refreshKey ?: UUID.randomUUID().toString()
        if (kept.refreshKey == null) {
            // Kept before it is sent. If the answer is lost, even with the app killed meanwhile, the repeat must bear the
            // same key: it gets the same tokens, and the server does not take the second use of the old token for theft.
            kept = kept.copy(refreshKey = key)
            store.write(kept)
        }
        val answer = post("/auth/refresh", JSONObject().put("refreshToken", kept.refreshToken), key)
        if (answer.status == 401 || answer.status == 403) {
            store.write(null)
            throw SignedOut()
        }
        if (answer.status != 200) throw IOException("a refresh was answered ${answer.status}")
        return tokens(JSONObject(answer.body)).also { store.write(it) }
    }

    private fun tokens(json: JSONObject) = Kept(json.getString("accessToken"), json.getString("refreshToken"))

    private fun signedIn() = store.read() ?: throw SignedOut()

    private fun callOnce(path: String, method: String, body: String?, kept: Kept) =
        answer(Call(method, base + path, mapOf("Authorization" to "Bearer ${kept.accessToken}"), body))

    private fun post(path: String, body: JSONObject, key: String? = null): Answer {
        val headers = mutableMapOf("Content-Type" to "application/json")
        if (key != null) headers["Idempotency-Key"] = key
        return answer(Call("POST", base + path, headers, body.toString()))
    }

    /** A 401 alone says something about the session; an outage never does. */
    private fun answer(call: Call): Answer {
        val answer = try {
            send(call)
        } catch (error: IOException) {
            throw TryLater(error.toString())
        }
        if (answer.status == 429 || answer.status >= 500) throw TryLater("answered ${answer.status}")
        return answer
    }
}

/** One request, with nothing but what the platform has. */
fun overHTTP(call: Call): Answer {
    val connection = URL(call.url).openConnection() as HttpURLConnection
    connection.requestMethod = call.method
    connection.connectTimeout = 10_000
    connection.readTimeout = 30_000
    for ((name, value) in call.headers) connection.setRequestProperty(name, value)
    if (call.body != null) {
        connection.doOutput = true
        connection.outputStream.use { it.write(call.body.toByteArray()) }
    }
    val status = connection.responseCode
    val stream = if (status >= 400) connection.errorStream else connection.inputStream
    return Answer(status, stream?.use { it.readBytes().toString(Charsets.UTF_8) } ?: "")
}
