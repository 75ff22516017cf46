// What the Kotlin blocks of the documents use besides the library: names of the page around them.
package NAME

import android.app.Activity
import android.content.Context
import android.content.Intent
import java.util.Locale
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import latchkey.auth.*
import latchkey.auth.android.*
import latchkey.auth.okhttp.*
import okhttp3.OkHttpClient
IMPORTS

fun show(vararg what: Any?) = Unit

suspend fun CoroutineScope.documented(
    auth: LatchkeyAuth, context: Context, activity: Activity, intent: Intent, pending: PendingCode, configuration: Configuration,
    link: String, identityToken: String, nonce: String,
) {
BODY
}
