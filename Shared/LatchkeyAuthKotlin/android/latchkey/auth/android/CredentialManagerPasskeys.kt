package latchkey.auth.android

import android.content.Context
import android.os.CancellationSignal
import androidx.credentials.ClearCredentialStateRequest
import androidx.credentials.CreateCredentialRequest
import androidx.credentials.CreateCredentialResponse
import androidx.credentials.CreatePublicKeyCredentialRequest
import androidx.credentials.CreatePublicKeyCredentialResponse
import androidx.credentials.CreateRestoreCredentialRequest
import androidx.credentials.CreateRestoreCredentialResponse
import androidx.credentials.Credential
import androidx.credentials.CredentialManager
import androidx.credentials.CredentialManagerCallback
import androidx.credentials.CredentialOption
import androidx.credentials.GetCredentialRequest
import androidx.credentials.GetCredentialResponse
import androidx.credentials.GetPublicKeyCredentialOption
import androidx.credentials.GetRestoreCredentialOption
import androidx.credentials.PublicKeyCredential
import androidx.credentials.RestoreCredential
import androidx.credentials.SignalAllAcceptedCredentialIdsRequest
import androidx.credentials.SignalCredentialStateResponse
import androidx.credentials.exceptions.ClearCredentialException
import androidx.credentials.exceptions.CreateCredentialCancellationException
import androidx.credentials.exceptions.CreateCredentialException
import androidx.credentials.exceptions.CreateCredentialInterruptedException
import androidx.credentials.exceptions.GetCredentialCancellationException
import androidx.credentials.exceptions.GetCredentialException
import androidx.credentials.exceptions.GetCredentialInterruptedException
import androidx.credentials.exceptions.NoCredentialException
import androidx.credentials.exceptions.publickeycredential.SignalCredentialStateException
import androidx.credentials.exceptions.restorecredential.E2eeUnavailableException
import java.util.Locale
import java.util.concurrent.Executor
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.PasskeyKind
import latchkey.auth.PasskeyPlatform

/**
 * Passkeys and restore keys by `androidx.credentials`: 1.5 for restore keys, 1.6 for [signalAccepted].
 *
 * @param context the activity in front of which the sheet opens. For `configuration.restoreKeys` the application serves.
 */
public class CredentialManagerPasskeys(private val context: Context) : PasskeyPlatform {
    private val manager get() = CredentialManager.create(context)

    override suspend fun create(options: String, kind: PasskeyKind): String = try {
        if (kind == PasskeyKind.PASSKEY) {
            (created(CreatePublicKeyCredentialRequest(options)) as CreatePublicKeyCredentialResponse).registrationResponseJson
        } else {
            restoreKey(options).responseJson
        }
    } catch (failure: CreateCredentialException) {
        throw AuthException(errorOf(failure))
    }

    /** Without a backup that only the user can read, the key still moves by a cable. */
    private suspend fun restoreKey(options: String): CreateRestoreCredentialResponse = try {
        created(CreateRestoreCredentialRequest(options, true)) as CreateRestoreCredentialResponse
    } catch (_: E2eeUnavailableException) {
        created(CreateRestoreCredentialRequest(options, false)) as CreateRestoreCredentialResponse
    }

    override suspend fun get(options: String, kind: PasskeyKind): String = try {
        if (kind == PasskeyKind.PASSKEY) {
            (found(GetPublicKeyCredentialOption(options)) as PublicKeyCredential).authenticationResponseJson
        } else {
            (found(GetRestoreCredentialOption(options)) as RestoreCredential).authenticationResponseJson
        }
    } catch (failure: GetCredentialException) {
        // A device that has no restore keys at all says so in several ways.
        throw AuthException(if (kind == PasskeyKind.RESTORE) AuthError.NoPasskey else errorOf(failure))
    }

    override suspend fun clearRestoreKey() {
        val request = ClearCredentialStateRequest(ClearCredentialStateRequest.TYPE_CLEAR_RESTORE_CREDENTIAL)
        awaited<Void?, ClearCredentialException> { signal, executor, callback ->
            manager.clearCredentialStateAsync(request, signal, executor, callback)
        }
    }

    override suspend fun signalAccepted(accepted: String) {
        try {
            val request = SignalAllAcceptedCredentialIdsRequest(accepted, null)
            awaited<SignalCredentialStateResponse, SignalCredentialStateException> { _, executor, callback ->
                manager.signalCredentialStateAsync(request, executor, callback)
            }
        } catch (_: LinkageError) {
            // The app has an earlier release of androidx.credentials.
        }
    }

    private suspend fun created(request: CreateCredentialRequest): CreateCredentialResponse =
        awaited<CreateCredentialResponse, CreateCredentialException> { signal, executor, callback ->
            manager.createCredentialAsync(context, request, signal, executor, callback)
        }

    private suspend fun found(option: CredentialOption): Credential {
        val request = GetCredentialRequest.Builder().addCredentialOption(option).build()
        return awaited<GetCredentialResponse, GetCredentialException> { signal, executor, callback ->
            manager.getCredentialAsync(context, request, signal, executor, callback)
        }.credential
    }
}

/** Waits for a callback. A cancelled caller closes the sheet. */
private suspend fun <R, E : Exception> awaited(
    begin: (CancellationSignal, Executor, CredentialManagerCallback<R, E>) -> Unit,
): R = suspendCancellableCoroutine { waiting ->
    val signal = CancellationSignal()
    waiting.invokeOnCancellation { signal.cancel() }
    val callback = object : CredentialManagerCallback<R, E> {
        override fun onResult(result: R) = waiting.resume(result)

        override fun onError(e: E) = waiting.resumeWithException(e)
    }
    // A coroutine goes on in its own dispatcher, so the callback needs no thread of its own.
    begin(signal, Executor { it.run() }, callback)
}

private fun errorOf(failure: CreateCredentialException): AuthError = when (failure) {
    is CreateCredentialCancellationException, is CreateCredentialInterruptedException -> AuthError.Cancelled
    else -> errorOf(failure.type)
}

private fun errorOf(failure: GetCredentialException): AuthError = when (failure) {
    is GetCredentialCancellationException, is GetCredentialInterruptedException -> AuthError.Cancelled
    is NoCredentialException -> AuthError.NoPasskey
    else -> errorOf(failure.type)
}

/**
 * Returns the error for the type of an exception, such as `…TYPE_…_DOM_EXCEPTION/androidx.credentials.TYPE_SECURITY_ERROR`. A user who
 * turns back on a later screen of the sheet is `NOT_ALLOWED_ERROR`.
 */
private fun errorOf(type: String): AuthError = when (val name = type.substringAfterLast("TYPE_", "PASSKEY_FAILED")) {
    "NOT_ALLOWED_ERROR", "ABORT_ERROR" -> AuthError.Cancelled
    "INVALID_STATE_ERROR" -> AuthError.PasskeyExists
    else -> AuthError.Refused(0, name.filter { it in 'A'..'Z' || it == '_' }.lowercase(Locale.ROOT).take(64), null)
}
