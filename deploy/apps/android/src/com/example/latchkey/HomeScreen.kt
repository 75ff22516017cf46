package com.example.latchkey

import androidx.compose.foundation.layout.Column
import androidx.compose.material3.Button
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberCoroutineScope
import androidx.compose.runtime.setValue
import java.io.IOException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import okhttp3.OkHttpClient
import okhttp3.Request

/** The screen of a signed-in user: a response of the app's API, and the way out. */
@Composable
fun HomeScreen(app: ExampleApplication, isOffline: Boolean) {
    val scope = rememberCoroutineScope()
    var greeting by remember { mutableStateOf("") }

    LaunchedEffect(isOffline) { greeting = hello(app.client) }
    Column {
        if (isOffline) Text("Offline")
        // The profile is not in memory after a return from the background, until a token was wanted.
        Text(app.auth.user?.name ?: "")
        Text(greeting)
        Button(onClick = { scope.launch { app.auth.signOut() } }) { Text("Sign out") }
    }
}

/** A call of the app's own API. The interceptor adds the token, and renews it if need be. */
private suspend fun hello(client: OkHttpClient): String = withContext(Dispatchers.IO) {
    try {
        client.newCall(Request.Builder().url("$BASE_URL/api/hello").build()).execute().use { "The API has answered: $it" }
    } catch (failure: IOException) {
        "The API cannot be reached at present."
    }
}
