package latchkey.checks

import android.app.Activity
import android.content.Intent
import java.util.Collections
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import latchkey.auth.AppleCredential
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.LatchkeyAuth
import latchkey.auth.PendingBrowser
import latchkey.auth.SignOutReason
import latchkey.auth.State
import latchkey.auth.adopt
import latchkey.auth.android.signInWithBrowser
import latchkey.auth.finishSignIn
import latchkey.auth.jvm.JdkTransport
import latchkey.auth.prepareBrowser
import latchkey.auth.signInWithPassword
import latchkey.auth.takeOver
import latchkey.auth.urlOf
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test

private const val REDIRECT = "com.example.app:/signed-in"

private fun signedOut(body: suspend CoroutineScope.(Server, LatchkeyAuth) -> Unit) = Server().use { server ->
    session(server, JdkTransport(), MovedClock()).use { auth -> runBlocking { body(server, auth) } }
}

private suspend fun refused(call: suspend () -> Unit): AuthError? = try {
    call()
    null
} catch (failure: AuthException) {
    failure.error
}

/** Sign-ins of which no scenario tells: an app's own tokens, and a provider's page in the browser. */
fun signInChecks() {
    takeOverChecks()
    browserChecks()
    test("a sign-in whose first caller goes away goes on for the second") {
        signedOut { server, auth ->
            server.signInGate.drainPermits()
            val first = async { auth.signInWithPassword("a@example.com", "secret") }
            Checks.eventuallySuspending("the request") { server.signIns.get() == 1 }
            val second = async(start = CoroutineStart.UNDISPATCHED) { auth.signInWithPassword("a@example.com", "secret") }
            first.cancel()
            first.join()
            server.signInGate.release(100)
            equal(second.await().user.id, "usr_1")
            equal(server.signIns.get(), 1)
        }
    }
    test("a sign-in whose only caller goes away is given up") {
        signedOut { server, auth ->
            server.signInGate.drainPermits()
            val only = launch { auth.signInWithPassword("a@example.com", "secret") }
            Checks.eventuallySuspending("the request") { server.signIns.get() == 1 }
            only.cancel()
            only.join()
            server.signInGate.release(100)
            auth.signInWithPassword("a@example.com", "secret")
            equal(server.signIns.get(), 2)
        }
    }
    test("a function is told of every end of the session, until it is closed") {
        signedOut { _, auth ->
            val reasons = Collections.synchronizedList(ArrayList<SignOutReason>())
            val following = auth.onSignedOut { reasons.add(it) }
            auth.signInWithPassword("a@example.com", "secret")
            auth.signOut()
            Checks.eventuallySuspending("the reason") { reasons == listOf(SignOutReason.ASKED) }
            following.close()
            auth.signInWithPassword("a@example.com", "secret")
            auth.signOut()
            equal(reasons.size, 1)
        }
    }
    test("what is no response is not adopted") {
        signedOut { _, auth ->
            val tokens = """{"tokens":{"accessToken":"A","refreshToken":"T","expiresIn":1}}"""
            for (text in listOf("", "[]", "{}", """{"user":{"id":"usr_1"}}""", tokens)) {
                equal(refused { auth.adopt(text) }, AuthError.NotLatchkey, text)
            }
            equal(auth.state.value, State.SignedOut(null))
        }
    }
    test("no secret of a sign-in is printed") {
        equal("${AppleCredential("token", "code", "nonce", "Ann", "a@example.com")}", "AppleCredential(‹redacted›)")
        val pending = PendingBrowser.decode("""{"path":"/auth/apple","redirect":"a.b:/c","secret":"s"}""")
        equal("$pending", "PendingBrowser(‹redacted›)")
    }
}

private fun takeOverChecks() {
    test("an app's own token is taken over once, and a repeat after a failure gets the same session") {
        signedOut { server, auth ->
            server.apiRefusesAll = true
            equal(refused { auth.takeOver("T0") }?.keepsSession, true)
            server.apiRefusesAll = false
            equal(auth.takeOver("T0")?.user?.id, "usr_1")
            equal(auth.takeOver("T0"), null)
            equal(server.hasEnded to server.refreshes.get(), false to 2)
            equal(auth.accessToken(), "A1")
        }
    }
    test("two calls at once take over once") {
        signedOut { server, auth ->
            val results = List(2) { async { auth.takeOver("T0") } }.map { it.await()?.user?.id }
            // The second begins during the first, or after it.
            equal(results.first() to server.refreshes.get(), "usr_1" to 1)
        }
    }
    test("a token that the server refuses signs nobody in") {
        signedOut { _, auth ->
            equal(refused { auth.takeOver("T7") }, AuthError.SignedOut(SignOutReason.ENDED))
            equal(auth.state.value, State.SignedOut(null))
        }
    }
}

private fun browserChecks() {
    test("a sign-in in the browser opens a tab, survives the app's end, and comes back by its link") {
        signedOut { server, auth ->
            val activity = Activity()
            val pending = auth.signInWithBrowser(activity, "google", REDIRECT)
            val url = activity.opened.data.toString()
            equal(url.substringBefore('?'), server.base + "/auth/oidc/google/authorize")
            equal(url.substringAfter("redirect="), "com%2Eexample%2Eapp%3A%2Fsigned-in")
            equal(url.substringAfter("challenge=").substringBefore('&').length, 43)
            equal(activity.opened.extras.containsKey("android.support.customtabs.extra.SESSION"), true)
            equal(activity.opened.action, Intent.ACTION_VIEW)
            val later = PendingBrowser.decode(pending.encode()) ?: throw AssertionError("no pending sign-in")
            val others = listOf("", REDIRECT, "$REDIRECT?state=1", "com.example.app:/other?code=1", "https://a.example/?code=1")
            for (other in others) {
                equal(auth.finishSignIn(later, other), null, other)
            }
            equal(auth.finishSignIn(later, "$REDIRECT?code=a%2Bb&x=1#top")?.user?.id, "usr_1")
            equal(server.lastBody.contains("\"code\":\"a+b\""), true, server.lastBody)
            // The link that the system delivers again.
            equal(auth.finishSignIn(later, "$REDIRECT?code=a%2Bb&x=1#top")?.user?.id, "usr_1")
            equal(server.signIns.get(), 1)
        }
    }
    test("a link is found as browsers write it") {
        val links = listOf(
            "https://app.example.com" to "https://app.example.com/?code=a", "https://App.example.com/in" to "https://app.example.com/in?code=b",
            "com.example.app:/in" to "COM.example.app:/in?code=c#top", "https://app.example.com/in?from=x" to "https://app.example.com/in?from=x&code=d",
        )
        for ((redirect, link) in links) {
            signedOut { _, auth -> equal(auth.finishSignIn(auth.prepareBrowser("google", redirect), link)?.user?.id, "usr_1", link) }
        }
        signedOut { _, auth ->
            for (other in listOf("com.example.app:/IN?code=a", "com.example.app:/in/?code=a", "com.example.app.evil:/in?code=a", "code=a")) {
                equal(auth.finishSignIn(auth.prepareBrowser("google", "com.example.app:/in"), other), null, other)
            }
        }
    }
    test("what a provider brings back in place of a code is an error") {
        signedOut { _, auth ->
            val pending = auth.prepareBrowser("apple", REDIRECT)
            equal(auth.urlOf(pending).contains("/auth/apple/authorize?"), true)
            equal(refused { auth.finishSignIn(pending, "$REDIRECT?error=access_denied") }, AuthError.Cancelled)
            equal(refused { auth.finishSignIn(pending, "$REDIRECT?error=server_error") }, AuthError.Refused(0, "server_error", null))
            equal(refused { auth.finishSignIn(pending, "$REDIRECT?error=%0Aforged") }, AuthError.Refused(0, "no_code", null))
            for (name in listOf("", "../x", "Google")) {
                equal(refused { auth.prepareBrowser(name, REDIRECT) }, AuthError.Invalid("provider", "invalid_provider"), name)
            }
        }
    }
    test("without a browser a sign-in says so") {
        signedOut { _, auth ->
            val activity = Activity().apply { hasBrowser = false }
            equal(refused { auth.signInWithBrowser(activity, "google", REDIRECT) }, AuthError.Refused(0, "no_browser", null))
        }
    }
    test("text that is no pending sign-in is none") {
        for (text in listOf("", "{}", """{"path":"/a","redirect":"b:/c"}""", """{"path":"/a","redirect":"b:/c","secret":""}""")) {
            equal(PendingBrowser.decode(text), null, text)
        }
    }
}
