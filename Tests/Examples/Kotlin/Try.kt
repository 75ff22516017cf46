import org.json.JSONArray
import java.io.IOException
import java.net.URLEncoder
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import kotlin.random.Random
import kotlin.system.exitProcess

/** Runs Latchkey.kt against a stack: TryKt GATEWAY INBOX. Ends with 0 if all went as the page says. */
fun main(arguments: Array<String>) {
    val (gateway, inbox) = arguments
    val store = Memory()
    val network = Network()
    fun start() = Latchkey(gateway, store, network::send)
    val app = start()

    val phone = "+1555" + (2000000 + Random.nextInt(7999999))
    app.requestCode(phone)
    val query = URLEncoder.encode(phone, "UTF-8")
    val messages = overJavaHTTP(Call("GET", "$inbox/api/messages?to=$query", mapOf(), null)).body
    val code = JSONArray(messages).getJSONObject(0).getString("code")
    val wrong = if (code == "111111") "222222" else "111111"
    check(thrown { app.signIn(phone, wrong) } is CodeRefused, "a wrong code is refused")
    app.signIn(phone, code, "attempt-1")
    val first = store.kept
    app.signIn(phone, code, "attempt-1")
    check(store.kept?.refreshToken == first?.refreshToken, "a repeated sign-in is the same session")
    check(app.call("/api/hello").status == 200, "the API is served")
    check(Latchkey(gateway, store).call("/api/hello").status == 200, "by the platform's own client")

    val patched = app.call("/users/me", "PATCH", """{"name":"Betty"}""")
    check(patched.status == 200 && "Betty" in patched.body, "a body is JSON, by PATCH too")
    val text = app.call("/api/echo", "POST", "a", mapOf("Content-Type" to "text/plain"))
    check(text == Answer(200, "a"), "the caller's headers go along")

    val refused = thrown { app.requestCode("12") } as? Refused
    check(refused?.status == 400 && refused.code == "invalid_phone", "a number that cannot be")
    var limited: Throwable? = null
    for (i in 1..20) if (limited !is TooMany) limited = thrown { app.requestCode(phone) }
    check(((limited as? TooMany)?.seconds ?: 0) > 0, "a limit says how long it lasts")

    store.spoil()
    val threads = Executors.newFixedThreadPool(3)
    val answers = threads.invokeAll((1..3).map { Callable { app.call("/api/hello") } }).map { it.get() }
    check(answers.all { it.status == 200 } && network.refreshes == 1, "three calls share one refresh")

    store.spoil()
    network.loses = 1
    check(thrown { app.call("/api/hello") } is TryLater, "a lost answer is no sign-out")
    check(store.kept?.refreshKey != null, "the key was kept before the refresh was sent")
    check(start().call("/api/hello").status == 200, "the app, started again, goes on with that key")
    check(store.kept?.refreshKey == null, "the key is gone with the answer")

    store.spoil()
    network.outage = Answer(503, "{}")
    check(thrown { app.call("/api/hello") } is TryLater && store.kept != null, "503 never signs out")
    network.outage = null
    check(app.call("/api/hello").status == 200, "after the outage all goes on")

    val last = store.kept
    app.signOut()
    check(thrown { app.call("/api/hello") } is SignedOut && store.kept == null, "signed out here")
    store.kept = last
    check(thrown { app.call("/api/hello") } is SignedOut && store.kept == null, "and at the gateway, for copies too")
    exitProcess(0)
}

private class Memory : Store {
    @Volatile var kept: Kept? = null

    override fun read() = kept
    override fun write(kept: Kept?) { this.kept = kept }

    fun spoil() { kept = kept?.copy(accessToken = "old") }
}

/** What becomes of the next refreshes: lost answers, or an answer of ours instead of the gateway's. */
private class Network {
    var refreshes = 0
    var loses = 0
    var outage: Answer? = null

    fun send(call: Call): Answer {
        if (!call.url.endsWith("/auth/refresh")) return overJavaHTTP(call)
        refreshes += 1
        outage?.let { return it }
        val answer = overJavaHTTP(call)
        if (loses-- > 0) throw IOException("the answer was lost")
        return answer
    }
}

private fun thrown(body: () -> Unit): Exception? = try {
    body()
    null
} catch (error: Exception) {
    error
}

private fun check(holds: Boolean, what: String) {
    if (!holds) throw IllegalStateException("not so: $what")
    println("ok: $what")
}
