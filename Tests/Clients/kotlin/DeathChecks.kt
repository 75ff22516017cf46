package latchkey.checks

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking
import latchkey.auth.FileStore
import latchkey.auth.SessionStore
import latchkey.auth.State
import latchkey.auth.Transport
import latchkey.auth.jvm.JdkTransport
import latchkey.auth.signInWithPassword
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test

/** Ends the process at one of its steps. */
class Death(private var stepsLeft: Int) {
    fun step() {
        if (stepsLeft-- == 0) Runtime.getRuntime().halt(9)
    }
}

/** A process that ends between any two steps of a renewal: of the store, of the request, of the response. */
fun deathChecks() = test("a process that ends at any step of a renewal signs no user out") {
    Server().use { server ->
        Checks.folder { folder ->
            StubKeyStore.folder = folder
            val clock = MovedClock()
            fun start() = session(server, JdkTransport(), clock, FileStore(folder, "default", keyStoreSeal()))
            start().use { runBlocking { it.signInWithPassword("a@example.com", "secret") } }
            var deaths = 0
            var code: Int
            do {
                clock.now += 4000.seconds
                val now = clock.now.inWholeSeconds
                code = Checks.child("child", "renew", folder.path, server.base, "$now", "$deaths").waitFor()
                clock.now += 100.seconds
                start().use { auth ->
                    equal(auth.state.value is State.SignedIn, true, "after $deaths steps")
                    auth.accessTokenBlocking()
                }
                equal(server.hasEnded, false, "after $deaths steps")
                // Any other code is that of a renewal which failed, since the machine is slow: it is tried again.
                if (code == 9) deaths++
            } while (code != 0 && clock.now < 100_000.seconds)
            // The store is read twice and written once, in six steps; the request has two.
            equal(deaths, 10)
        }
    }
}

/** Renews the session, in a process that ends before that is done. */
fun renew(store: FileStore, base: String, now: Duration, death: Death) {
    val isStored = CountDownLatch(1)
    store.onStep = {
        death.step()
        if (it == "done") isStored.countDown()
    }
    val followed = object : SessionStore by store {
        override fun load(): ByteArray? = store.load().also { death.step() }
    }
    val jdk = JdkTransport()
    val transport = Transport { request ->
        death.step()
        jdk.send(request).also { death.step() }
    }
    session(base, transport, MovedClock().apply { this.now = now }, followed).use {
        it.accessTokenBlocking()
        isStored.await(20, TimeUnit.SECONDS)
    }
}
