package com.example.latchkey

import android.content.Intent
import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.collectAsState
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import latchkey.auth.Freshness
import latchkey.auth.State
import latchkey.auth.android.linkOf

/** An app of three screens: nothing is known yet, signed out, signed in. */
class ExampleActivity : ComponentActivity() {
    /** The link of a mail that the app was opened with. */
    private val link = mutableStateOf<String?>(null)

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        link.value = linkOf(intent)
        setContent { Screen(application as ExampleApplication, link.value) }
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        link.value = linkOf(intent)
    }
}

@Composable
private fun Screen(app: ExampleApplication, link: String?) {
    val state by app.auth.state.collectAsState()
    when (val present = state) {
        // Nothing is known yet, such as before the first unlock of the phone.
        State.Starting, is State.Unavailable -> Text("…")
        is State.SignedOut -> SignInScreen(app.auth, present.reason, link)
        is State.SignedIn -> HomeScreen(app, isOffline = present.session.freshness is Freshness.Overdue)
    }
}
