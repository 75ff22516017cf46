package com.example.latchkey

import androidx.compose.foundation.layout.Column
import androidx.compose.material3.Button
import androidx.compose.material3.Text
import androidx.compose.material3.TextField
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberCoroutineScope
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.platform.LocalContext
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.launch
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.LatchkeyAuth
import latchkey.auth.PendingCode
import latchkey.auth.SignOutReason
import latchkey.auth.android.SmsCodes
import latchkey.auth.requestCode
import latchkey.auth.signIn
import latchkey.auth.signInWithLink

/** The phone number or email address, then the code. A code in a text message is read without the user, and so is a mail's link. */
@Composable
fun SignInScreen(auth: LatchkeyAuth, reason: SignOutReason?, link: String?) {
    val scope = rememberCoroutineScope()
    val context = LocalContext.current
    // The text of the pending code survives the app's end while the user reads the message.
    var pending by rememberSaveable { mutableStateOf<String?>(null) }
    var typed by rememberSaveable { mutableStateOf("") }
    val isNews = reason != null && reason != SignOutReason.ASKED
    var message by remember { mutableStateOf(if (isNews) "Your session has ended." else "") }

    suspend fun attempt(call: suspend () -> Unit) {
        message = try {
            call()
            ""
        } catch (failure: AuthException) {
            wordsFor(failure.error)
        }
    }

    suspend fun signIn(code: String) = attempt { pending?.let(PendingCode::decode)?.let { auth.signIn(it, code) } }

    suspend fun send() = attempt {
        if ('@' in typed) {
            pending = auth.requestCode(email = typed).encode()
        } else {
            // It listens before the code is requested, for five minutes or until this screen closes.
            scope.launch(start = CoroutineStart.UNDISPATCHED) { SmsCodes.retrieve(context)?.let { signIn(it) } }
            pending = auth.requestCode(typed, region = "US").encode()
        }
        typed = ""
    }

    LaunchedEffect(link) {
        val sent = pending?.let(PendingCode::decode)
        if (link != null && sent != null) attempt { auth.signInWithLink(sent, link) }
    }
    Column {
        val label = if (pending == null) "Phone number or email address" else "Code"
        TextField(value = typed, onValueChange = { typed = it }, label = { Text(label) })
        Button(onClick = { scope.launch { if (pending == null) send() else signIn(typed) } }) { Text("Continue") }
        if (pending != null) Button(onClick = { pending = null }) { Text("Change the number") }
        Text(message)
    }
}

private fun wordsFor(error: AuthError): String = when (error) {
    is AuthError.CodeRefused -> "This code is wrong or too old."
    is AuthError.Invalid -> "Please check the phone number or email address."
    is AuthError.RateLimited -> "Please wait ${error.retryAfter.inWholeSeconds} seconds."
    else -> if (error.isWorthRetrying) "Please try again in a moment." else "That did not work ($error)."
}
