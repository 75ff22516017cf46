import org.json.JSONException
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

/** The network or the server is away: everything is kept, try again later. */
open class TryLater(message: String) : IOException(message)

/** A limit is reached (429): everything is kept, try again after so many seconds. */
class TooMany(val seconds: Int?) : TryLater("try again in $seconds s")

/** Any other refusal: 400 `invalid_phone`, 403 `account_inactive`, 409 `deletion_scheduled` … */
class Refused(val status: Int, val code: String?) : Exception("refused with $status $code")

data class Call(val method: String, val url: String, val headers: Map<String, String>, val body: String?)

data class Answer(val status: Int, val body: String)

/** Blocks, so call it off the main thread. */
class Latchkey(private val base: String, private val store: Store, private val send: (Call) -> Answer = ::overHTTP) {
    /** Has a code sent to the phone, e.g. +15551234567. A new `attempt` sends another message. */
    fun requestCode(phoneNumber: String, attempt: String = UUID.randomUUID().toString()) {
        post("/auth/otp/request", JSONObject().put("phoneNumber", phoneNumber), attempt)
    }

    /** Signs in. Make `attempt` when the user has typed the code, and repeat with the same: it stays one session. */
    @Synchronized
    fun signIn(phoneNumber: String, code: String, attempt: String = UUID.randomUUID().toString()) {
        val body = JSONObject().put("phoneNumber", phoneNumber).put("code", code)
        val answer = try {
            post("/auth/otp/verify", body, attempt)
        } catch (refusal: Refused) {
            throw if (refusal.status == 401) CodeRefused() else refusal
        }
        store.write(tokens(answer.getJSONObject("tokens")))
    }

    /**
     * Calls your API through the gateway, once more with new tokens if the gateway refuses the old one. A body is JSON unless
     * `headers` say otherwise.
     */
    fun call(path: String, method: String = "GET", body: String? = null, headers: Map<String, String> = mapOf()): Answer {
        val kept = signedIn()
        val answer = callOnce(path, method, body, headers, kept)
        return if (answer.status == 401) callOnce(path, method, body, headers, renew(kept)) else answer
    }

    /** Ends the session. The tokens are gone from here in any case; an exception says that the server has not heard of it. */
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
        val answer = try {
            post("/auth/refresh", JSONObject().put("refreshToken", kept.refreshToken), key)
        } catch (refusal: Refused) {
            if (refusal.status != 401 && refusal.status != 403) throw refusal
            store.write(null)
            throw SignedOut()
        }
        return tokens(answer).also { store.write(it) }
    }

    private fun tokens(json: JSONObject) = Kept(json.getString("accessToken"), json.getString("refreshToken"))

    private fun signedIn() = store.read() ?: throw SignedOut()

    private fun callOnce(path: String, method: String, body: String?, headers: Map<String, String>, kept: Kept): Answer {
        val json = if (body == null) mapOf() else mapOf("Content-Type" to "application/json")
        return answer(Call(method, base + path, json + headers + ("Authorization" to "Bearer ${kept.accessToken}"), body))
    }

    /** Sends a request of our own; any status but 200 is an exception. */
    private fun post(path: String, body: JSONObject, key: String? = null): JSONObject {
        val headers = mutableMapOf("Content-Type" to "application/json")
        if (key != null) headers["Idempotency-Key"] = key
        val answer = answer(Call("POST", base + path, headers, body.toString()))
        val json = try {
            JSONObject(answer.body)
        } catch (_: JSONException) {
            JSONObject()
        }
        val seconds = if (json.has("retryAfter")) json.getInt("retryAfter") else null
        return when {
            answer.status == 200 -> json
            answer.status == 429 -> throw TooMany(seconds)
            // A 401 alone says something about the session; an outage never does.
            answer.status >= 500 -> throw TryLater("answered ${answer.status}")
            else -> throw Refused(answer.status, json.optString("code", json.optString("error")))
        }
    }

    private fun answer(call: Call): Answer = try {
        send(call)
    } catch (error: IOException) {
        throw TryLater(error.toString())
    }
}

/** One request on Android. On the JVM pass `::overJavaHTTP` instead, since HttpURLConnection knows no PATCH there. */
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
