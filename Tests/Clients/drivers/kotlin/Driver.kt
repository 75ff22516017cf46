package latchkey.driver

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import latchkey.auth.*
import latchkey.auth.support.Json

// The library under the conformance suite: its public client, with store and clock in the hands of the runner. Reads and writes
// JSON lines.

/** A call of the runner. */
class Call(private val members: Map<String, Any?>) {
    operator fun get(name: String): String? = members[name] as? String

    /** A member that is an object, as JSON. */
    fun json(name: String): String = Json.encode(members[name]).decodeToString()

    val headers: Map<String, String>
        get() = (members["headers"] as? Map<*, *>).orEmpty().entries.associate { "${it.key}" to "${it.value}" }

    /** Whether the body is to be a stream. */
    val isStream: Boolean get() = members["stream"] == true

    val wantsNewAccount: Boolean get() = members["newAccount"] == true

    /** Whether the platform wants to know the account's passkeys. */
    val isTold: Boolean get() = members["told"] == true

    fun number(name: String): Double? = (members[name] as? Number)?.toDouble()

    fun whole(name: String): Int? = number(name)?.toInt()

    // A request of the app.

    val method: String get() = if (body == null) "GET" else "POST"
    val url: String get() = (this["base"] ?: "") + (this["path"] ?: "")
    val body: ByteArray? get() = this["body"]?.encodeToByteArray()
}

/** Sends the requests of an app to its API, and returns the status. */
fun interface AppRequests {
    suspend fun send(call: Call): Int
}

/** A kind of driver: a transport, and the way in which an app calls its API. */
class Kind(val transport: Transport, val requests: (LatchkeyAuth) -> AppRequests)

/** The requests of an app that has no HTTP client of its own. */
fun plainRequests(auth: LatchkeyAuth) = AppRequests { call ->
    val (body, stream) = if (call.isStream) null to call.body?.inputStream() else call.body to null
    auth.send(HttpRequest(call.method, call.url, call.headers, body, stream)).status
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
class Driver(base: String, first: Call, kind: Kind, private val wire: Wire, private val clock: DriverClock) {
    private val surroundings = DriverSurroundings()
    private val scope = CoroutineScope(Dispatchers.Default)
    private val jobs = ConcurrentHashMap<Int, Job>()
    private val pending = AtomicReference<PendingCode?>()

    /** The app's question who the user is, until it is answered or closed. */
    private val question = AtomicReference<CompletableDeferred<Unit>?>()

    /** The token of the last error that had one. */
    private val mergeToken = AtomicReference<MergeToken?>()
    private val restoreToken = AtomicReference<RestoreToken?>()
    private val auth: LatchkeyAuth
    private val requests: AppRequests
    private val factors: Factors

    init {
        // The client sends an unconfirmed sign-out as it is created. Its event must not come before the driver listens.
        val listening = CountDownLatch(1)
        val transport = Transport {
            listening.await()
            kind.transport.send(it)
        }
        val configuration = Configuration(base, RunnerStore(wire), transport, clock)
        configuration.allowsHttp = true
        configuration.surroundings = surroundings
        configuration.deviceName = "driver"
        configuration.installationId = { "installation" }
        first.number("early")?.let { configuration.early = it.seconds }
        configuration.log = { System.err.println(it) }
        auth = LatchkeyAuth(configuration)
        requests = kind.requests(auth)
        factors = Factors(auth, wire, first.isTold)
        scope.launch(start = CoroutineStart.UNDISPATCHED) {
            auth.events.collect { wire.tell(mapOf("event" to it.word)) }
        }
        listening.countDown()
    }

    fun handle(call: Call) {
        val id = call.whole("id") ?: return
        call.whole("cancels")?.let { jobs[it]?.cancel() }
        jobs[id] = scope.launch {
            val result = try {
                "ok" to answer(call)
            } catch (failure: AuthException) {
                (failure.error as? AuthError.IdentityInUse)?.mergeToken?.let { mergeToken.set(it) }
                (failure.error as? AuthError.DeletionScheduled)?.restoreToken?.let { restoreToken.set(it) }
                (failure.error as? AuthError.SecondFactorRequired)?.mfaToken?.let { factors.token.set(it) }
                // An app would log the error like this. The runner searches the output for secrets.
                System.err.println(failure)
                "error" to failure.error.word
            } catch (_: CancellationException) {
                "error" to "cancelled"
            }
            wire.tell(mapOf("id" to id.toLong(), result))
        }
    }

    private suspend fun answer(call: Call): String = when (call["do"]) {
        "start" -> auth.state.value.word
        "state" -> {
            // What store and server have answered is known by then, so that the runner can move the clock.
            if (jobs.values.count { it.isActive } > 1) delay(50)
            if (wire.hasAnswers) withTimeoutOrNull(500) { auth.engine.store.idle() }
            auth.state.value.word
        }
        "accessToken" -> auth.accessToken((call.number("minimum") ?: 0.0).seconds)
        "refused" -> auth.accessTokenInsteadOf(call["token"] ?: "")
        "features" -> features.joinToString(",")
        "prepareCode", "keepCode", "takeCode", "requestCode", "requestIdentityCode", "resend" -> code(call)
        "prepareBrowser", "openBrowser", "finishSignIn" -> browser(call)
        "signIn", "signInPassword", "signInApple", "signInProvider", "signInBrowser", "takeOver", "adopt", "restore" ->
            signIn(call).word
        "signOut" -> {
            val result = auth.signOut(if (call["scope"] == "all") SignOutScope.ALL else SignOutScope.THIS_SESSION)
            val (stored, confirmed) = (if (result.isStored) "stored" else "unstored") to
                (if (result.isConfirmed) "confirmed" else "unconfirmed")
            "${auth.state.value.word}:$stored:$confirmed"
        }
        "data" -> requests.send(call).toString()
        "change" -> {
            changes[call["change"]]?.let { surroundings.change(it) }
            "changed"
        }
        "sleeping" -> {
            clock.waitForSleeper()
            "sleeping"
        }
        else -> {
            val done = factors.answer(call)
            if (done != null && call["do"] == "stepUp") question.get()?.complete(Unit)
            done ?: person(call)
        }
    }

    private suspend fun code(call: Call): String {
        val region = call["region"] ?: "US"
        when (call["do"]) {
            "keepCode" -> return pending.get()?.encode() ?: ""
            "takeCode" -> return "taken".also { pending.set(PendingCode.decode(call["kept"] ?: "")) }
            "resend" -> return "sent".also { pending.get()?.let { pending.set(auth.resend(it)) } }
        }
        val prepared = call["email"]?.let { auth.prepareCode(email = it) }
            ?: call["phone"]?.let { auth.prepareCode(phone = it, region) } ?: pending.get()
            ?: throw AuthException(AuthError.Refused(0, "no_code", null))
        pending.set(prepared)
        if (call["do"] == "prepareCode") return "prepared"
        if (call["do"] == "requestCode") auth.requestCode(prepared) else auth.requestIdentityCode(prepared)
        return "sent"
    }

    private suspend fun signIn(call: Call): SignIn {
        when (call["do"]) {
            "signInPassword" -> return auth.signInWithPassword(call["email"] ?: "", call["password"] ?: "")
            "signInApple" -> return auth.signInWithApple(AppleCredential(call["token"] ?: ""))
            "signInProvider" -> return auth.signInWithProvider(call["name"] ?: "", call["token"] ?: "")
            "signInBrowser" -> {
                val pending = auth.prepareBrowser(call["name"] ?: "", REDIRECT)
                return auth.finishSignIn(pending, open(auth.urlOf(pending))) ?: throw AuthException(AuthError.Refused(0, "no_code", null))
            }
            "takeOver" -> return auth.takeOver(call["token"] ?: "") ?: throw AuthException(AuthError.Refused(0, "signed_in", null))
            "adopt" -> return auth.adopt(call.json("response"))
            "restore" -> return auth.restore(call["token"]?.let { RestoreToken(it) } ?: restoreToken.get() ?: RestoreToken(""))
        }
        // As after the app's end: the pending code comes from its text.
        val pending = pending.get()?.let { PendingCode.decode(it.encode()) } ?: throw AuthException(AuthError.CodeRefused(null))
        call["link"]?.let { return auth.signInWithLink(pending, it) }
        return auth.signIn(pending, call["code"] ?: "", call["name"], call.wantsNewAccount)
    }

    private suspend fun browser(call: Call): String {
        if (call["do"] == "prepareBrowser") return auth.prepareBrowser(call["name"] ?: "", REDIRECT).encode()
        val pending = PendingBrowser.decode(call["kept"] ?: "") ?: throw AuthException(AuthError.Refused(0, "nothing_kept", null))
        if (call["do"] == "openBrowser") return open(auth.urlOf(pending))
        val signIn = auth.finishSignIn(pending, call["link"] ?: "") ?: return "another link"
        return if (signIn.isNewUser) "signedIn:new" else "signedIn"
    }

    /** Has the runner load a page, and returns the link with which it comes back. */
    private fun open(page: String): String =
        wire.ask(mapOf("what" to "open", "page" to page))["link"] ?: throw AuthException(AuthError.Cancelled)

    private suspend fun person(call: Call): String {
        when (call["do"]) {
            "user" -> return auth.user?.name ?: "nil"
            "reload" -> return auth.reloadUser().name ?: "nil"
            "update" -> return auth.update(name = call["name"]).name ?: "nil"
            "sessions" -> return auth.sessions().size.toString()
            "exportData" -> return auth.exportData().decodeToString()
            "discover" -> return auth.discover().codeLength?.let { "codes:$it" } ?: "unknown"
            "endSession" -> auth.endSession(call["name"] ?: "")
            "endOthers" -> auth.signOut(SignOutScope.OTHERS)
            "changePassword" -> auth.changePassword(call["password"] ?: "", call["name"] ?: "")
            "delete" -> auth.deleteAccount(call["password"])
            "register" -> auth.register(call["email"] ?: "", call["password"] ?: "")
            "forgot" -> auth.forgotPassword(call["email"] ?: "")
            "identities" -> {
                val all = auth.identities()
                val words = all.identities.map { listOfNotNull(it.kind, it.provider).joinToString(" ") }
                val pending = all.pendingPhone?.let { "pending ${it.lastDigits} ${it.movesAt.time / 1000}" }
                val merge = all.pendingMerge?.let {
                    "merge ${if (it.isIntoAnother) "into" else "of"} another ${it.movesAt.time / 1000}"
                }
                return (words + listOfNotNull("password".takeIf { all.hasPassword }, pending, merge)).joinToString(",")
            }
            "mergeLater" ->
                return auth.mergeLater(MergeToken(call["token"] ?: ""))?.let { "waits ${it.time / 1000}" } ?: "done"
            else -> identity(call)
        }
        return "done"
    }

    private suspend fun identity(call: Call) {
        val (token, name) = (call["token"] ?: "") to (call["name"] ?: "")
        when (call["do"]) {
            "addIdentity" -> auth.addIdentity(pending.get() ?: throw AuthException(AuthError.CodeRefused(null)), call["code"] ?: "")
            "addPhoneToken" -> auth.addPhoneToken(token)
            "addApple" -> auth.addApple(AppleCredential(token))
            "addProvider" -> auth.addProvider(name, token)
            "removeIdentity" -> auth.removeIdentity(name)
            "setPassword" -> auth.setPassword(call["password"] ?: "")
            "removePassword" -> auth.removePassword()
            "cancelMerge" -> auth.cancelMerge()
            "cancelPhoneChange" -> auth.cancelPhoneChange()
            "merge" -> auth.merge(MergeToken(token))
            "mergeOther" -> auth.merge(mergeToken.get() ?: MergeToken(token), KeptPhone.OTHER)
            "mergeByProof" -> auth.merge(MergeToken("mt_secret"), proof = proofOf(call))
            "addWithBrowser" -> {
                val pending = auth.prepareBrowser(name, REDIRECT)
                auth.finishAdding(pending, open(auth.urlToAdd(pending)))
            }
            "mergeByBrowser" -> {
                val pending = auth.prepareBrowser(name, REDIRECT)
                auth.merge(MergeToken("mt_secret"), proof = AccountProof.browser(pending, open(auth.urlToAdd(pending))))
            }
            "requestMergeCode" -> auth.requestMergeCode(MergeToken(token))
            else -> proof(call)
        }
    }

    private fun proofOf(call: Call): AccountProof = call["code"]?.let { AccountProof.code(it) }
        ?: call["password"]?.let { AccountProof.password(it) } ?: AccountProof.provider(call["name"] ?: "", call["token"] ?: "")

    private suspend fun proof(call: Call) {
        when (call["do"]) {
            "asks" -> {
                auth.onReauthenticate {
                    val asked = CompletableDeferred<Unit>().also { question.set(it) }
                    wire.tell(mapOf("event" to "asked"))
                    asked.await()
                }
                return
            }
            "closeQuestion" -> return question.get()?.completeExceptionally(IllegalStateException("closed")).let { }
            "sendProof" -> return auth.requestReauthentication()
            "reauthenticate" -> auth.reauthenticate(call["code"] ?: "")
            "reauthenticateWithPassword" -> auth.reauthenticateWithPassword(call["password"] ?: "")
            "reauthenticateWithProvider" -> auth.reauthenticateWithProvider(call["name"] ?: "", call["token"] ?: "")
            "reauthenticateWithBrowser" -> {
                val pending = auth.prepareBrowser(call["name"] ?: "", REDIRECT)
                AccountProof.browser(pending, open(auth.urlToReauthenticate(pending)))?.let { auth.reauthenticate(it) }
            }
            "reauthenticateWithPhone" -> auth.reauthenticate(AccountProof.phoneToken(call["token"] ?: ""))
            else -> throw AuthException(AuthError.Refused(0, "unknown_call", null))
        }
        question.get()?.complete(Unit)
    }

    private companion object {
        const val REDIRECT = "com.example.app:/signed-in"
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
    // Calls from before the client was created.
    val early = ArrayList<Call>()
    while (true) {
        val message = Call(readJson(readlnOrNull() ?: break) ?: continue)
        clock.set(message.number("now"), message.number("wall"))
        val reply = message.whole("reply")
        val running = synchronized(early) { driver.get() }
        if (reply != null) {
            wire.answered(reply, message)
        } else if (running != null) {
            running.handle(message)
        } else if (message.whole("id") != null && synchronized(early) { early.add(message) && early.size == 1 }) {
            // The client reads its store as it starts, and this thread has to bring the answer.
            thread {
                val created = Driver(base, message, kind, wire, clock)
                synchronized(early) {
                    driver.set(created)
                    for (each in early) created.handle(each)
                }
            }
        }
    }
    exitProcess(0)
}

/** Arguments: the kind, if it is not `jdk`, and the server's address. */
fun main(arguments: Array<String>) = drive(arguments.last(), kind(arguments[0]))
