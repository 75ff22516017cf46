package latchkey.checks

import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import java.security.ProviderException
import java.security.UnrecoverableKeyException
import latchkey.auth.AuthException
import latchkey.auth.Event
import latchkey.auth.FileStore
import latchkey.auth.LatchkeyAuth
import latchkey.auth.State
import latchkey.auth.jvm.JdkTransport
import latchkey.auth.signInWithPassword
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test

/** Whether no request is on its way and nothing is being read or written. */
private val LatchkeyAuth.isQuiet: Boolean
    get() = engine.session.let { it == null || !it.isRenewing && !it.isSaving }

/** Many callers at once, and callers in places where other libraries hang. */
fun threadChecks() {
    test("50 threads share one renewal") {
        withSession { server, auth, clock ->
            clock.now += 4000.seconds
            val tokens = Collections.synchronizedList(ArrayList<String>())
            val threads = (0 until 50).map { thread { tokens.add(auth.accessTokenBlocking()) } }
            for (each in threads) each.join(20_000)
            equal(tokens.size, 50)
            equal(tokens.toSet(), setOf("A2"))
            equal(server.refreshes.get(), 1)
        }
    }
    test("a renewal goes on when all threads of Dispatchers.IO and Default wait for it") {
        withSession { server, auth, clock ->
            clock.now += 4000.seconds
            server.gate = CountDownLatch(1)
            runBlocking {
                val callers = List(100) { async(Dispatchers.IO) { auth.accessTokenBlocking() } } +
                    List(20) { async(Dispatchers.Default) { auth.accessTokenBlocking() } }
                Checks.eventually("the renewal") { server.refreshes.get() == 1 }
                server.gate.countDown()
                withTimeout(20_000) { equal(callers.awaitAll().toSet(), setOf("A2")) }
            }
        }
    }
    test("a collector that runs undispatched may call anything, blocking calls included") {
        Server().use { server ->
            val clock = MovedClock()
            val auth = session(server, JdkTransport(), clock)
            val seen = Collections.synchronizedList(ArrayList<Any>())
            val done = CountDownLatch(1)
            val scope = CoroutineScope(Dispatchers.Unconfined)
            scope.launch(start = CoroutineStart.UNDISPATCHED) {
                auth.events.collect { event ->
                    clock.now += 4000.seconds
                    seen.add(event)
                    if (event is Event.SignedIn) {
                        seen.add(auth.accessTokenBlocking())
                        done.countDown()
                    }
                }
            }
            runBlocking { auth.signInWithPassword("a@example.com", "secret") }
            equal(done.await(20, TimeUnit.SECONDS), true)
            equal(seen.contains("A2"), true)
            scope.cancel()
            auth.close()
        }
    }
    test("an interrupted thread stops waiting, and the renewal goes on") {
        withSession { server, auth, clock ->
            clock.now += 4000.seconds
            server.gate = CountDownLatch(1)
            var failure: Throwable? = null
            val caller = thread {
                try {
                    auth.accessTokenBlocking()
                } catch (found: Exception) {
                    failure = found
                }
            }
            Checks.eventually("the renewal") { server.refreshes.get() == 1 }
            caller.interrupt()
            caller.join(20_000)
            equal(failure is java.io.InterruptedIOException, true, "$failure")
            server.gate.countDown()
            equal(auth.accessTokenBlocking(), "A2")
            equal(server.refreshes.get(), 1)
        }
    }
    test("the state is there at once, and after a sign-out no longer") {
        Server().use { server ->
            session(server, JdkTransport(), MovedClock()).use { auth ->
                equal(auth.state.value, State.SignedOut(null))
                runBlocking {
                    auth.signInWithPassword("a@example.com", "secret")
                    equal(auth.state.value is State.SignedIn, true)
                    auth.signOut()
                    equal(auth.state.value is State.SignedOut, true)
                }
            }
        }
    }
    test("50 threads over a KeyStore that fails now and then: no user is signed out") {
        Server().use { server ->
            Checks.folder { folder ->
                StubKeyStore.folder = folder
                StubKeyStore.faults.clear()
                val clock = MovedClock()
                val store = FileStore(folder, "default", keyStoreSeal())
                val auth = session(server, JdkTransport(), clock, store)
                val other = session(server, JdkTransport(), clock, FileStore(folder, "default", keyStoreSeal()))
                runBlocking { auth.signInWithPassword("a@example.com", "secret") }
                val events = Collections.synchronizedList(ArrayList<Event>())
                val scope = CoroutineScope(Dispatchers.Default)
                for (each in listOf(auth, other)) {
                    scope.launch(start = CoroutineStart.UNDISPATCHED) { each.events.collect { events.add(it) } }
                }
                // Three attempts that all prove the loss of the key are a loss, and two processes share these faults. So no
                // more than two of four are proofs.
                val passing = ProviderException("keystore")
                val faults = listOf(passing, UnrecoverableKeyException(), passing, StubKeyStore.Missing())
                repeat(20) { round ->
                    StubKeyStore.faults.clear()
                    repeat(round % 5) { StubKeyStore.faults.add(faults[(round + it) % 4]) }
                    clock.now += 4000.seconds
                    val threads = (0 until 50).map { number ->
                        thread {
                            try {
                                (if (number % 2 == 0) auth else other).accessTokenBlocking()
                            } catch (failure: AuthException) {
                                equal(failure.error.keepsSession, true, failure)
                            }
                        }
                    }
                    for (each in threads) each.join(120_000)
                    // A renewal may go on after its callers have got a token or an error. The next round moves the clock, which
                    // would end the wait for its response, or for the store.
                    Checks.eventually("the renewal's end") { auth.isQuiet && other.isQuiet }
                }
                StubKeyStore.faults.clear()
                clock.now += 100.seconds
                equal(events.filterIsInstance<Event.SignedOut>(), emptyList<Event>())
                equal(server.hasEnded, false)
                equal(auth.accessTokenBlocking().startsWith("A"), true)
                equal(auth.state.value is State.SignedIn, true)
                scope.cancel()
                auth.close()
                other.close()
            }
        }
    }
}
