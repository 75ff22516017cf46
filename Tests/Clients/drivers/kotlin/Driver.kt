package latchkey.driver

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.launch
import latchkey.auth.*

// The library under the conformance suite: its public client, with store and clock in the hands of the runner. Reads and writes
// JSON lines.

/** A call of the runner. */
class Call(private val members: Map<String, Any?>) {
    operator fun get(name: String): String? = members[name] as? String

    fun number(name: String): Double? = (members[name] as? Number)?.toDouble()

    fun whole(name: String): Int? = number(name)?.toInt()
}

/** Sends the requests of an app to its API, and returns the status. */
fun interface AppRequests {
    suspend fun send(method: String, url: String, body: ByteArray?): Int
}

/** A kind of driver: a transport, and the way in which an app calls its API. */
class Kind(val transport: Transport, val requests: (LatchkeyAuth) -> AppRequests)

/** The requests of an app that has no HTTP client of its own. */
fun plainRequests(auth: LatchkeyAuth) = AppRequests { method, url, body ->
    auth.send(HttpRequest(method, url, emptyMap(), body)).status
}

/** Surroundings that change when the runner says so. */
class DriverSurroundings : Surroundings {
    private val flow = MutableSharedFlow<Change>(extraBufferCapacity = 64, onBufferOverflow = BufferOverflow.SUSPEND)
    override val changes: Flow<Change> get() = flow

    /** Waits until the session follows, then tells it. */
    fun change(change: Change) {
        while (flow.subscriptionCount.value == 0) Thread.sleep(1)
        flow.tryEmit(change)
    }
}

/** The client, and what the calls leave for each other. */
class Driver(base: String, early: Double?, kind: Kind, private val wire: Wire, private val clock: DriverClock) {
    private val surroundings = DriverSurroundings()
    private val scope = CoroutineScope(Dispatchers.Default)
    private val jobs = ConcurrentHashMap<Int, Job>()
    private val pending = AtomicReference<PendingCode?>()
    private val auth: LatchkeyAuth
    private val requests: AppRequests

    init {
        val configuration = Configuration(base, RunnerStore(wire), kind.transport, clock)
        configuration.allowsHttp = true
        configuration.surroundings = surroundings
        configuration.deviceName = "driver"
        early?.let { configuration.early = it.seconds }
        configuration.log = { System.err.println(it) }
        auth = LatchkeyAuth(configuration)
        requests = kind.requests(auth)
        scope.launch(start = CoroutineStart.UNDISPATCHED) {
            auth.events.collect { wire.tell(mapOf("event" to it.word)) }
        }
    }

    fun handle(call: Call) {
        val id = call.whole("id") ?: return
        call.whole("cancels")?.let { jobs[it]?.cancel() }
        jobs[id] = scope.launch {
            val result = try {
                "ok" to answer(call)
            } catch (failure: AuthException) {
                "error" to failure.error.word
            } catch (_: CancellationException) {
                "error" to "cancelled"
            }
            wire.tell(mapOf("id" to id.toLong(), result))
        }
    }

    private suspend fun answer(call: Call): String = when (call["do"]) {
        "start", "state" -> auth.state.value.word
        "accessToken" -> auth.accessToken((call.number("minimum") ?: 0.0).seconds)
        "refused" -> auth.accessTokenInsteadOf(call["token"] ?: "")
        "requestCode" -> {
            pending.set(call["email"]?.let { auth.requestMail(it) } ?: auth.requestCode(call["phone"] ?: "", "US"))
            "sent"
        }
        "signIn", "signInPassword", "signInApple", "signInProvider" ->
            if (signIn(call).isNewUser) "signedIn:new" else "signedIn"
        "signOut" -> {
            auth.signOut(if (call["scope"] == "all") SignOutScope.ALL else SignOutScope.THIS_SESSION)
            auth.state.value.word
        }
        "data" -> {
            val body = call["body"]?.encodeToByteArray()
            requests.send(if (body == null) "GET" else "POST", (call["base"] ?: "") + (call["path"] ?: ""), body).toString()
        }
        "change" -> {
            changes[call["change"]]?.let { surroundings.change(it) }
            "changed"
        }
        "sleeping" -> {
            clock.waitForSleeper()
            "sleeping"
        }
        else -> person(call)
    }

    private suspend fun signIn(call: Call): SignIn {
        when (call["do"]) {
            "signInPassword" -> return auth.signInByPassword(call["email"] ?: "", call["password"] ?: "")
            "signInApple" -> return auth.signInByApple(call["token"] ?: "")
            "signInProvider" -> return auth.signInByProvider(call["name"] ?: "", call["token"] ?: "")
        }
        // As after the app's end: the pending code comes from its text.
        val pending = pending.get()?.let { PendingCode.decode(it.encode()) } ?: throw AuthException(AuthError.CodeRefused)
        call["link"]?.let { return auth.signInByLink(pending, it) }
        return auth.signIn(pending, call["code"] ?: "", call["name"])
    }

    private suspend fun person(call: Call): String {
        when (call["do"]) {
            "user" -> return auth.user?.name ?: "nil"
            "reload" -> return auth.reloadUser().name ?: "nil"
            "update" -> return auth.update(mapOf("name" to call["name"])).name ?: "nil"
            "sessions" -> return auth.sessions().size.toString()
            "discover" -> return auth.discover().codeLength?.let { "codes:$it" } ?: "unknown"
            "endSession" -> auth.endSession(call["name"] ?: "")
            "endOthers" -> auth.endOtherSessions()
            "changePassword" -> auth.changePassword(call["password"] ?: "", call["name"] ?: "")
            "delete" -> auth.deleteAccount(call["password"])
            "register" -> auth.register(call["email"] ?: "", call["password"] ?: "")
            "forgot" -> auth.forgotPassword(call["email"] ?: "")
            else -> throw AuthException(AuthError.Refused(0, "unknown_call", null))
        }
        return "done"
    }

    private companion object {
        val changes = mapOf(
            "foreground" to Change.FOREGROUND, "background" to Change.BACKGROUND, "networkBack" to Change.NETWORK_BACK,
            "protectedDataThere" to Change.PROTECTED_DATA_THERE,
        )
    }
}

/** Runs a driver of a kind until the runner closes its input. */
fun drive(base: String, kind: Kind) {
    val wire = Wire()
    val clock = DriverClock()
    val driver = AtomicReference<Driver?>()
    while (true) {
        val message = Call(readJson(readlnOrNull() ?: break) ?: continue)
        clock.set(message.number("now"), message.number("wall"))
        val reply = message.whole("reply")
        val running = driver.get()
        if (reply != null) {
            wire.answered(reply, message)
        } else if (running != null) {
            running.handle(message)
        } else {
            // The client reads its store as it starts, and this thread has to bring the answer.
            thread { Driver(base, message.number("early"), kind, wire, clock).also { driver.set(it) }.handle(message) }
        }
    }
    exitProcess(0)
}

/** Arguments: the kind, if it is not `jdk`, and the server's address. */
fun main(arguments: Array<String>) = drive(arguments.last(), kind(arguments[0]))
