package latchkey.checks

import android.app.Activity
import android.app.Application
import android.content.Context
import android.content.Intent
import android.hardware.biometrics.BiometricPrompt
import android.net.ConnectivityManager
import android.net.Network
import android.net.Uri
import android.os.Build
import android.os.Bundle
import android.os.CancellationSignal
import android.os.UserManager
import androidx.credentials.CredentialManager
import androidx.credentials.CredentialManagerCallback
import androidx.credentials.CustomCredential
import androidx.credentials.GetCredentialRequest
import androidx.credentials.GetCredentialResponse
import androidx.credentials.exceptions.GetCredentialException
import com.google.android.gms.auth.api.phone.SmsRetriever
import com.google.android.gms.common.api.CommonStatusCodes
import com.google.android.gms.common.api.Status
import com.google.android.gms.tasks.Task
import com.google.android.libraries.identity.googleid.GetGoogleIdOption
import com.google.android.libraries.identity.googleid.GoogleIdTokenCredential
import java.util.Collections
import java.util.concurrent.Executor
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import latchkey.auth.Change
import latchkey.auth.LatchkeyAuth
import latchkey.auth.State
import latchkey.auth.android.*
import latchkey.auth.signInWithPassword
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.eventually
import latchkey.checks.Checks.test

private class StubApp : Application() {
    val network = ConnectivityManager()
    val users = UserManager()

    init {
        services[CONNECTIVITY_SERVICE] = network
        services[USER_SERVICE] = users
    }
}

/** The parts that need Android, over stand-ins. */
fun androidChecks() {
    test("an app signs in, and finds its session after a restart") {
        Checks.folder { folder ->
            Server().use { server ->
                StubKeyStore.folder = folder
                val app = StubApp().apply { this.folder = folder }
                fun start() = LatchkeyAuth(androidConfiguration(app, server.base).apply { allowsHttp = true })
                val first = start()
                runBlocking { first.signInWithPassword("a@example.com", "secret") }
                first.close()
                val second = start()
                eventually("the stored session") { second.state.value is State.SignedIn }
                equal(second.accessTokenBlocking(), "A1")
                second.close()
                eventually("no callback is left") { app.callbacks.isEmpty() && app.network.callbacks.isEmpty() && app.receivers.isEmpty() }
                app.users.unlocked = false
                val third = start()
                eventually("a locked device") { third.state.value is State.Unavailable }
                app.users.unlocked = true
                eventually("the library follows the unlock") { app.receivers.isNotEmpty() }
                app.broadcast(Intent(Intent.ACTION_USER_UNLOCKED))
                eventually("the session after the unlock") { third.state.value is State.SignedIn }
                third.close()
            }
        }
    }
    test("activities, network and unlock are changes") {
        val app = StubApp()
        val seen = Collections.synchronizedList(ArrayList<Change>())
        val scope = CoroutineScope(Dispatchers.Unconfined)
        scope.launch { AndroidSurroundings(app).changes.collect { seen.add(it) } }
        val (one, two) = Activity() to Activity()
        val callbacks = app.callbacks.single()
        callbacks.onActivityStarted(one)
        callbacks.onActivityStarted(two)
        callbacks.onActivityStopped(one)
        callbacks.onActivityStopped(two)
        callbacks.onActivityStarted(one)
        one.isChanging = true
        callbacks.onActivityStopped(one)
        app.network.callbacks.single().onAvailable(Network())
        app.broadcast(Intent(Intent.ACTION_USER_UNLOCKED))
        equal(
            seen,
            listOf(
                Change.FOREGROUND, Change.BACKGROUND, Change.FOREGROUND, Change.NETWORK_BACK, Change.PROTECTED_DATA_THERE,
            ),
        )
        scope.cancel()
        equal(app.callbacks.size + app.network.callbacks.size + app.receivers.size, 0)
    }
    test("without the permission for the network the rest is followed") {
        val app = StubApp().apply { network.isAllowed = false }
        val scope = CoroutineScope(Dispatchers.Unconfined)
        scope.launch { AndroidSurroundings(app).changes.collect {} }
        equal(app.callbacks.size, 1)
        scope.cancel()
    }
    smsChecks()
    test("a link of a mail, and no other intent") {
        val link = "https://api.example.com/magic-link?token=abc"
        equal(linkOf(Intent(Intent.ACTION_VIEW, Uri.parse(link))), link)
        equal(linkOf(Intent(Intent.ACTION_VIEW, Uri.parse("other://api.example.com"))), null)
        equal(linkOf(Intent("android.intent.action.MAIN")), null)
        equal(linkOf(null), null)
    }
    test("Google's token and its nonce reach the server") {
        Server().use { server ->
            val google = StubGoogle()
            CredentialManager.next.set(google)
            val auth = session(server, UrlTransport(), MovedClock())
            equal(runBlocking { auth.signInWithGoogle(Activity(), "client-id") }.user.id, "usr_1")
            equal(google.option?.serverClientId to google.option?.nonce?.length, "client-id" to 64)
            google.fails = true
            val refused = runBlocking { runCatching { auth.signInWithGoogle(Activity(), "client-id") } }
            equal(refused.exceptionOrNull() is GetCredentialException, true)
            equal(auth.state.value is State.SignedIn, true)
            auth.close()
        }
    }
    gateChecks()
}

private class StubGoogle : CredentialManager {
    var option: GetGoogleIdOption? = null
    var fails = false

    override fun getCredentialAsync(
        context: Context, request: GetCredentialRequest, signal: CancellationSignal, executor: Executor,
        callback: CredentialManagerCallback<GetCredentialResponse, GetCredentialException>,
    ) {
        if (fails) return executor.execute { callback.onError(GetCredentialException()) }
        option = request.option as GetGoogleIdOption
        val data = Bundle().apply { put("token", "google-token") }
        val credential = CustomCredential(GoogleIdTokenCredential.TYPE_GOOGLE_ID_TOKEN_CREDENTIAL, data)
        executor.execute { callback.onResult(GetCredentialResponse(credential)) }
    }
}

private fun smsChecks() {
    fun message(status: Int, name: String, value: Any?) = Intent(SmsRetriever.SMS_RETRIEVED_ACTION)
        .putExtra(SmsRetriever.EXTRA_STATUS, Status(status)).putExtra(name, value)
    for (level in listOf(23, 34)) {
        test("a code comes out of a text message at API level $level") {
            val before = Build.VERSION.SDK_INT
            Build.VERSION.SDK_INT = level
            val app = StubApp()
            runBlocking(Dispatchers.Unconfined) {
                val code = async(start = CoroutineStart.UNDISPATCHED) { SmsCodes.retrieve(app) }
                app.broadcast(
                    message(CommonStatusCodes.SUCCESS, SmsRetriever.EXTRA_SMS_MESSAGE, "<#> Your code is 472918\nyY9CeQORT+t"),
                )
                equal(code.await(), "472918")
                val late = async(start = CoroutineStart.UNDISPATCHED) { SmsCodes.retrieve(app) }
                app.broadcast(message(CommonStatusCodes.TIMEOUT, "", null))
                equal(late.await(), null)
                val cancelled = launch(start = CoroutineStart.UNDISPATCHED) { SmsCodes.retrieve(app) }
                cancelled.cancel()
            }
            equal(app.receivers.size, 0)
            Build.VERSION.SDK_INT = before
        }
    }
    test("with the user's consent a code comes out of any message") {
        val app = StubApp()
        val question = Intent("consent")
        runBlocking(Dispatchers.Unconfined) {
            val asked = async(start = CoroutineStart.UNDISPATCHED) { SmsCodes.requestConsent(app) }
            app.broadcast(message(CommonStatusCodes.SUCCESS, SmsRetriever.EXTRA_CONSENT_INTENT, question))
            equal(asked.await() === question, true)
        }
        val answer = Intent("answer").putExtra(SmsRetriever.EXTRA_SMS_MESSAGE, "472918 is your code")
        equal(SmsCodes.codeOf(answer), "472918")
        equal(SmsCodes.codeOf(null), null)
    }
    test("without Google Play services the user types the code") {
        val app = StubApp()
        Task.failure = IllegalStateException("no services")
        equal(runBlocking { SmsCodes.retrieve(app) to SmsCodes.requestConsent(app) }, null to null)
        equal(app.receivers.size, 0)
        Task.failure = null
    }
    test("digits that are no code are skipped") {
        equal(SmsCodes.codeIn("Ring +15551234567, your code is 472918."), "472918")
        equal(SmsCodes.codeIn("Your code: 4729"), "4729")
        equal(SmsCodes.codeIn("no code in 12 words"), null)
    }
    test("the hash of the app is the one that Google's tool prints") {
        equal(SmsCodes.appHash(StubApp()), "yY9CeQORT+t")
    }
}

private fun gateChecks() = test("the gate locks after a while, and a cancelled prompt changes nothing") {
    val app = StubApp()
    val clock = MovedClock()
    val scope = CoroutineScope(Dispatchers.Unconfined)
    val gate = LockGate(scope, AndroidSurroundings(app), clock, 60.seconds) { confirmByBiometrics(Activity(), "Unlock", "Cancel") }
    runBlocking {
        BiometricPrompt.confirms = false
        equal(gate.unlock(), false)
        BiometricPrompt.confirms = true
        equal(gate.unlock(), true)
        val callbacks = app.callbacks.single()
        val activity = Activity()
        callbacks.onActivityStarted(activity)
        for ((away, isLocked) in listOf(59 to false, 60 to true)) {
            callbacks.onActivityStopped(activity)
            clock.now += away.seconds
            callbacks.onActivityStarted(activity)
            equal(gate.isLocked.value, isLocked, away)
        }
        Build.VERSION.SDK_INT = 27
        equal(gate.unlock(), false)
        Build.VERSION.SDK_INT = 34
    }
    scope.cancel()
}
