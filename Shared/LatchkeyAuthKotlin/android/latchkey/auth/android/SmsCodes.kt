package latchkey.auth.android

import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import android.content.pm.PackageManager
import android.os.Build
import android.os.Bundle
import android.util.Base64
import com.google.android.gms.auth.api.phone.SmsRetriever
import com.google.android.gms.auth.api.phone.SmsRetrieverClient
import com.google.android.gms.common.api.CommonStatusCodes
import com.google.android.gms.common.api.Status
import com.google.android.gms.tasks.Task
import java.security.MessageDigest
import kotlin.coroutines.resume
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Reads codes from text messages, by `play-services-auth-api-phone`, without the permission to read messages.
 *
 * Begin before the code is requested, and cancel when the screen closes.
 */
public object SmsCodes {
    /**
     * Waits for a message that ends with [appHash] (SMS Retriever), for five minutes. The user confirms nothing.
     *
     * @return the code, or `null` if no such message came.
     */
    public suspend fun retrieve(context: Context): String? =
        receive(context, { it.startSmsRetriever() }) { extras -> codeIn(extras.getString(SmsRetriever.EXTRA_SMS_MESSAGE)) }

    /**
     * Waits for any message with a code (SMS User Consent), for five minutes.
     *
     * @param sender the number that sends the codes, or `null` for any that is not among the user's contacts.
     * @return the intent of the question to the user, or `null` if no message came. Start it for a result, and pass that to
     *   [codeOf].
     */
    public suspend fun requestConsent(context: Context, sender: String? = null): Intent? =
        receive(context, { it.startSmsUserConsent(sender) }) { extras ->
            @Suppress("DEPRECATION") extras.getParcelable(SmsRetriever.EXTRA_CONSENT_INTENT)
        }

    /** Returns the code of the message to which the user has consented, or `null` if they have not. */
    public fun codeOf(consent: Intent?): String? = codeIn(consent?.getStringExtra(SmsRetriever.EXTRA_SMS_MESSAGE))

    /**
     * Returns the hash of this app that a message must end with: eleven characters, for the server's policy. It depends on the
     * key that signs the app, so an app from the store has another one than a debug build.
     */
    public fun appHash(context: Context): String? {
        val name = context.packageName
        @Suppress("DEPRECATION")
        val signatures = context.packageManager.getPackageInfo(name, PackageManager.GET_SIGNATURES).signatures
        val signature = signatures?.firstOrNull()?.toCharsString() ?: return null
        val digest = MessageDigest.getInstance("SHA-256").digest("$name $signature".encodeToByteArray())
        return Base64.encodeToString(digest.copyOf(9), Base64.NO_PADDING or Base64.NO_WRAP).take(11)
    }

    /** Returns the first four to ten digits of a message that stand alone. */
    internal fun codeIn(message: String?): String? = message?.let { CODE.find(it)?.value }

    private val CODE = Regex("(?<![0-9A-Za-z+])[0-9]{4,10}(?![0-9A-Za-z])")

    private suspend fun <T : Any> receive(
        context: Context, start: (SmsRetrieverClient) -> Task<Void>, read: (Bundle) -> T?,
    ): T? = suspendCancellableCoroutine { waiting ->
        val app = context.applicationContext
        val receiver = object : BroadcastReceiver() {
            override fun onReceive(context: Context, intent: Intent) {
                val extras = intent.extras ?: return
                @Suppress("DEPRECATION") val status = extras.get(SmsRetriever.EXTRA_STATUS) as? Status
                app.unregisterReceiver(this)
                if (waiting.isActive) waiting.resume(if (status?.statusCode == CommonStatusCodes.SUCCESS) read(extras) else null)
            }
        }
        register(app, receiver)
        waiting.invokeOnCancellation { app.unregisterReceiver(receiver) }
        start(SmsRetriever.getClient(app)).addOnFailureListener {
            // A device without Google Play services reads no messages; the user types the code.
            if (waiting.isActive) {
                app.unregisterReceiver(receiver)
                waiting.resume(null)
            }
        }
    }

    private fun register(app: Context, receiver: BroadcastReceiver) {
        val filter = IntentFilter(SmsRetriever.SMS_RETRIEVED_ACTION)
        if (Build.VERSION.SDK_INT >= 33) {
            app.registerReceiver(receiver, filter, SmsRetriever.SEND_PERMISSION, null, Context.RECEIVER_EXPORTED)
        } else {
            app.registerReceiver(receiver, filter, SmsRetriever.SEND_PERMISSION, null)
        }
    }
}

/**
 * Returns the link of a mail that an activity was opened with, for `signInWithLink`; `null` for any other intent.
 *
 * The activity needs an intent filter with `autoVerify` for the server's host: see deploy/docs/app/android.md.
 */
public fun linkOf(intent: Intent?): String? {
    val data = intent?.data ?: return null
    return data.toString().takeIf { intent.action == Intent.ACTION_VIEW && data.scheme == "https" }
}
