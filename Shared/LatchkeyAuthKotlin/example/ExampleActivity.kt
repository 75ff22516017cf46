package com.example.latchkey

import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.compose.foundation.layout.Column
import androidx.compose.material3.Button
import androidx.compose.material3.Text
import androidx.compose.material3.TextField
import androidx.compose.runtime.Composable
import androidx.compose.runtime.collectAsState
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberCoroutineScope
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import kotlinx.coroutines.launch
import latchkey.auth.AuthException
import latchkey.auth.Freshness
import latchkey.auth.LatchkeyAuth
import latchkey.auth.PendingCode
import latchkey.auth.State
import latchkey.auth.android.SmsCodes
import latchkey.auth.android.androidConfiguration
import latchkey.auth.requestCode
import latchkey.auth.signIn

/** The app's only object of the library: it outlives every screen. */
class ExampleApplication : android.app.Application() {
    val auth: LatchkeyAuth by lazy {
        val configuration = androidConfiguration(this, "https://api.example.com")
        configuration.appHash = SmsCodes.appHash(this)
        LatchkeyAuth(configuration)
    }
}

/** An app of three screens: nothing is known yet, signed out, signed in. */
class ExampleActivity : ComponentActivity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val auth = (application as ExampleApplication).auth
        setContent { Screen(auth) }
    }
}

@Composable
fun Screen(auth: LatchkeyAuth) {
    val state by auth.state.collectAsState()
    when (val present = state) {
        State.Starting, is State.Unavailable -> Text("…")
        is State.SignedOut -> SignInScreen(auth)
        is State.SignedIn -> HomeScreen(auth, isOffline = present.session.freshness is Freshness.Overdue)
    }
}

@Composable
private fun SignInScreen(auth: LatchkeyAuth) {
    val scope = rememberCoroutineScope()
    // The text of the pending code survives the app's end while the user reads the message.
    var pending by rememberSaveable { mutableStateOf<String?>(null) }
    var typed by remember { mutableStateOf("") }
    var problem by remember { mutableStateOf("") }

    fun run(call: suspend () -> Unit) = scope.launch {
        problem = try {
            call()
            ""
        } catch (failure: AuthException) {
            failure.error.toString()
        }
    }
    Column {
        TextField(typed, onValueChange = { typed = it }, label = { Text(if (pending == null) "Phone number" else "Code") })
        Button(onClick = {
            run {
                val sent = pending?.let(PendingCode::decode)
                if (sent == null) pending = auth.requestCode(typed, "US").encode() else auth.signIn(sent, typed)
                typed = ""
            }
        }) { Text("Continue") }
        Text(problem)
    }
}

@Composable
private fun HomeScreen(auth: LatchkeyAuth, isOffline: Boolean) {
    val scope = rememberCoroutineScope()
    Column {
        if (isOffline) Text("Offline")
        Text("Hello ${auth.user?.name ?: ""}")
        Button(onClick = { scope.launch { auth.signOut() } }) { Text("Sign out") }
    }
}
