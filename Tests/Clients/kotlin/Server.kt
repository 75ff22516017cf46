package latchkey.checks

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.io.Closeable
import java.net.InetSocketAddress
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import latchkey.auth.Configuration
import latchkey.auth.DeviceClock
import latchkey.auth.LatchkeyAuth
import latchkey.auth.SessionStore
import latchkey.auth.StoreVersion
import latchkey.auth.Transport
import latchkey.auth.jvm.JdkTransport
import latchkey.auth.signInWithPassword

/** A Latchkey of few words, and the app's API behind it. */
class Server : Closeable {
    private val threads = Executors.newCachedThreadPool()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 200)
    val base get() = "http://127.0.0.1:${server.address.port}"
    private val generation = AtomicInteger()
    val refreshes = AtomicInteger()
    val apiCalls = AtomicInteger()

    val signIns = AtomicInteger()

    /** Without permits, no sign-in is answered. */
    val signInGate = Semaphore(100)

    @Volatile
    var lastBody = ""

    /** The status of the API for a token that is not the newest. */
    @Volatile
    var apiAcceptsOld = true

    @Volatile
    var apiRefusesAll = false

    /** A token that the API refuses. */
    @Volatile
    var refusedToken = ""

    @Volatile
    var apiSaysInactive = false

    /** Held by a test to keep renewals waiting. */
    @Volatile
    var gate = CountDownLatch(0)

    init {
        server.executor = threads
        server.createContext("/") { exchange -> exchange.use { answer(it) } }
        server.start()
    }

    /** Whether the server took a repeat for theft. */
    @Volatile
    var hasEnded = false
        private set
    private var lastKey: String? = null

    private fun answer(exchange: HttpExchange) {
        val body = exchange.requestBody.readBytes().decodeToString()
        when (exchange.requestURI.path) {
            "/auth/login", "/auth/oidc/google", "/auth/oidc/google/verify" -> {
                lastBody = body
                signIns.incrementAndGet()
                signInGate.acquire()
                signInGate.release()
                exchange.send(
                    200, """{"success":true,"isNewUser":false,"user":{"id":"usr_1","name":"Ann"},"tokens":${tokens()}}""",
                )
            }
            "/auth/refresh" -> {
                refreshes.incrementAndGet()
                gate.await()
                val token = body.substringAfter("\"refreshToken\":\"").substringBefore('"')
                val renewed = renewed(token, exchange.requestHeaders.getFirst("Idempotency-Key"))
                exchange.send(if (renewed == null) 401 else 200, renewed ?: """{"code":"invalid_refresh_token"}""")
            }
            "/auth/logout" -> exchange.send(200, """{"success":true}""")
            else -> api(exchange)
        }
    }

    private fun tokens(number: Int = generation.incrementAndGet()): String =
        """{"accessToken":"A$number","refreshToken":"T$number","expiresIn":3600}"""

    /** Renews the newest token. A repeat with the same key gets the same successor; any other use of an old token is theft. */
    @Synchronized
    private fun renewed(token: String, key: String): String? {
        val newest = generation.get()
        if (hasEnded) return null
        if (token == "T$newest") {
            lastKey = key
            return tokens()
        }
        hasEnded = token != "T${newest - 1}" || key != lastKey
        return if (hasEnded) null else tokens(newest)
    }

    private fun api(exchange: HttpExchange) {
        apiCalls.incrementAndGet()
        if (apiSaysInactive) return exchange.send(403, """{"code":"account_inactive"}""")
        val bearer = exchange.requestHeaders.getFirst("Authorization")
        val isGood = bearer != "Bearer $refusedToken" && bearer == "Bearer A${generation.get()}" || apiAcceptsOld && bearer != null && bearer != "Bearer $refusedToken"
        if (isGood && !apiRefusesAll) {
            exchange.send(200, """{"id":"usr_1","message":"hello","userId":"usr_1"}""")
        } else {
            exchange.send(401, """{"code":"token_expired"}""")
        }
    }

    private fun HttpExchange.send(status: Int, body: String) {
        val bytes = body.encodeToByteArray()
        sendResponseHeaders(status, bytes.size.toLong())
        responseBody.write(bytes)
    }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
    }
}

/** A clock that a check moves. */
class MovedClock : DeviceClock {
    @Volatile
    override var now: Duration = 1000.seconds
    override val wallSeconds: Long get() = 1_800_000_000 + now.inWholeSeconds

    override suspend fun sleepUntil(time: Duration) {
        while (now < time) delay(5)
    }
}

/** A store in memory. */
class MemoryStore : SessionStore {
    private var item: ByteArray? = null

    @Synchronized
    override fun load(): ByteArray? = item

    @Synchronized
    override fun keepNewer(data: ByteArray, version: StoreVersion): ByteArray? {
        val stored = item
        if (stored != null && StoreVersion.of(stored).let { it != null && it >= version }) return stored
        item = data
        return null
    }
}

fun session(server: Server, transport: Transport, clock: DeviceClock, store: SessionStore = MemoryStore()): LatchkeyAuth =
    session(server.base, transport, clock, store)

fun session(base: String, transport: Transport, clock: DeviceClock, store: SessionStore): LatchkeyAuth {
    val configuration = Configuration(base, store, transport, clock)
    configuration.allowsHttp = true
    return LatchkeyAuth(configuration)
}

/** Runs a check with a user who is signed in at a server of their own. */
fun withSession(transport: Transport = JdkTransport(), body: (Server, LatchkeyAuth, MovedClock) -> Unit) =
    Server().use { server ->
        val clock = MovedClock()
        session(server, transport, clock).use { auth ->
            runBlocking { auth.signInWithPassword("a@example.com", "secret") }
            body(server, auth, clock)
        }
    }
