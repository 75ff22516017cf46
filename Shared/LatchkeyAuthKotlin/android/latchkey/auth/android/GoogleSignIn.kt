package latchkey.auth.android

import android.content.Context
import android.os.CancellationSignal
import androidx.credentials.CredentialManager
import androidx.credentials.CredentialManagerCallback
import androidx.credentials.CustomCredential
import androidx.credentials.GetCredentialRequest
import androidx.credentials.GetCredentialResponse
import androidx.credentials.exceptions.GetCredentialException
import com.google.android.libraries.identity.googleid.GetGoogleIdOption
import com.google.android.libraries.identity.googleid.GoogleIdTokenCredential
import java.security.MessageDigest
import java.security.SecureRandom
import java.util.concurrent.Executor
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine
import latchkey.auth.LatchkeyAuth
import latchkey.auth.SignIn
import latchkey.auth.signInWithProvider

/**
 * Signs in with a Google account of the device, by `androidx.credentials` and `googleid`.
 *
 * Throws `GetCredentialException` if the user has chosen none, and `AuthException` if the server refuses the token.
 *
 * @param activity the activity in front of which Google's dialog opens.
 * @param serverClientId the client ID of your server, which is the token's audience.
 * @param onlyKnown whether to offer only accounts that have signed in before. Try with `true` first, then with `false`.
 */
public suspend fun LatchkeyAuth.signInWithGoogle(
    activity: Context, serverClientId: String, onlyKnown: Boolean = false, provider: String = "google",
): SignIn {
    val nonce = hex(ByteArray(16).also { SecureRandom().nextBytes(it) })
    val hash = hex(MessageDigest.getInstance("SHA-256").digest(nonce.encodeToByteArray()))
    val option = GetGoogleIdOption.Builder().setServerClientId(serverClientId).setNonce(hash)
        .setFilterByAuthorizedAccounts(onlyKnown).build()
    val request = GetCredentialRequest.Builder().addCredentialOption(option).build()
    return signInWithProvider(provider, identityToken(activity, request), nonce)
}

private suspend fun identityToken(activity: Context, request: GetCredentialRequest): String =
    suspendCancellableCoroutine { waiting ->
        val signal = CancellationSignal()
        val callback = object : CredentialManagerCallback<GetCredentialResponse, GetCredentialException> {
            override fun onResult(result: GetCredentialResponse) {
                val credential = result.credential as? CustomCredential
                if (credential?.type == GoogleIdTokenCredential.TYPE_GOOGLE_ID_TOKEN_CREDENTIAL) {
                    waiting.resume(GoogleIdTokenCredential.createFrom(credential.data).idToken)
                } else {
                    waiting.cancel()
                }
            }

            override fun onError(e: GetCredentialException) = waiting.resumeWithException(e)
        }
        // A coroutine goes on in its own dispatcher, so the callback needs no thread of its own.
        CredentialManager.create(activity).getCredentialAsync(activity, request, signal, Executor { it.run() }, callback)
        waiting.invokeOnCancellation { signal.cancel() }
    }

private fun hex(bytes: ByteArray): String = bytes.joinToString("") { (it.toInt() and 0xff).toString(16).padStart(2, '0') }
