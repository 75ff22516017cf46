package latchkey.checks

import android.app.Activity
import android.content.Context
import android.os.CancellationSignal
import androidx.credentials.*
import androidx.credentials.exceptions.*
import androidx.credentials.exceptions.publickeycredential.SignalCredentialStateException
import androidx.credentials.exceptions.restorecredential.E2eeUnavailableException
import java.util.concurrent.Executor
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.PasskeyKind
import latchkey.auth.android.CredentialManagerPasskeys
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test

private const val OPTIONS = """{"challenge":"Y2hhbGxlbmdl"}"""

/** A Credential Manager that answers as recorded, or fails. */
private class StubManager : CredentialManager {
    val seen = ArrayList<String>()
    var createFailure: CreateCredentialException? = null
    var getFailure: GetCredentialException? = null
    var clearFailure: ClearCredentialException? = null
    var hasEncryptedBackup = true
    var isOld = false
    var isSilent = false
    var signal: CancellationSignal? = null

    override fun createCredentialAsync(
        context: Context, request: CreateCredentialRequest, signal: CancellationSignal, executor: Executor,
        callback: CredentialManagerCallback<CreateCredentialResponse, CreateCredentialException>,
    ) {
        val response: CreateCredentialResponse = when (request) {
            is CreatePublicKeyCredentialRequest -> {
                seen.add("passkey ${request.requestJson}")
                CreatePublicKeyCredentialResponse(Recorded.CREATED)
            }
            else -> {
                val key = request as CreateRestoreCredentialRequest
                seen.add("restore ${key.requestJson} ${key.isCloudBackupEnabled}")
                if (key.isCloudBackupEnabled && !hasEncryptedBackup) createFailure = E2eeUnavailableException()
                CreateRestoreCredentialResponse(Recorded.CREATED)
            }
        }
        val failure = createFailure.also { createFailure = null }
        executor.execute { if (failure != null) callback.onError(failure) else callback.onResult(response) }
    }

    override fun getCredentialAsync(
        context: Context, request: GetCredentialRequest, signal: CancellationSignal, executor: Executor,
        callback: CredentialManagerCallback<GetCredentialResponse, GetCredentialException>,
    ) {
        this.signal = signal
        if (isSilent) return
        val credential = when (val option = request.option) {
            is GetPublicKeyCredentialOption -> PublicKeyCredential(Recorded.SIGNED).also { seen.add("passkey ${option.requestJson}") }
            is GetRestoreCredentialOption -> RestoreCredential(Recorded.SIGNED).also { seen.add("restore ${option.requestJson}") }
            else -> throw AssertionError("an option of another kind")
        }
        val failure = getFailure
        executor.execute { if (failure != null) callback.onError(failure) else callback.onResult(GetCredentialResponse(credential)) }
    }

    override fun clearCredentialStateAsync(
        request: ClearCredentialStateRequest, signal: CancellationSignal, executor: Executor,
        callback: CredentialManagerCallback<Void, ClearCredentialException>,
    ) {
        seen.add(request.requestType)
        val failure = clearFailure
        executor.execute { if (failure != null) callback.onError(failure) else callback.onResult(null) }
    }

    override fun signalCredentialStateAsync(
        request: SignalCredentialStateRequest, executor: Executor,
        callback: CredentialManagerCallback<SignalCredentialStateResponse, SignalCredentialStateException>,
    ) {
        if (isOld) throw NoSuchMethodError("signalCredentialStateAsync")
        seen.add((request as SignalAllAcceptedCredentialIdsRequest).requestJson)
        executor.execute { callback.onResult(SignalCredentialStateResponse()) }
    }
}

private fun withManager(body: suspend (StubManager, CredentialManagerPasskeys) -> Unit) {
    val manager = StubManager()
    CredentialManager.next.set(manager)
    runBlocking { body(manager, CredentialManagerPasskeys(Activity())) }
}

private suspend fun refused(call: suspend () -> Any?): AuthError? = try {
    call()
    null
} catch (failure: AuthException) {
    failure.error
}

/** Android's part of passkeys, over stand-ins for `androidx.credentials`. */
fun credentialManagerChecks() {
    test("the Credential Manager gets the options as they are, and its results come back so") {
        withManager { manager, passkeys ->
            equal(passkeys.create(OPTIONS, PasskeyKind.PASSKEY), Recorded.CREATED)
            equal(passkeys.get(OPTIONS, PasskeyKind.PASSKEY), Recorded.SIGNED)
            equal(passkeys.create(OPTIONS, PasskeyKind.RESTORE), Recorded.CREATED)
            equal(passkeys.get(OPTIONS, PasskeyKind.RESTORE), Recorded.SIGNED)
            passkeys.signalAccepted(OPTIONS)
            passkeys.clearRestoreKey()
            equal(
                manager.seen,
                listOf(
                    "passkey $OPTIONS", "passkey $OPTIONS", "restore $OPTIONS true", "restore $OPTIONS", OPTIONS,
                    "androidx.credentials.TYPE_CLEAR_RESTORE_CREDENTIAL",
                ),
            )
        }
    }
    test("without an encrypted backup the restore key stays on the device") {
        withManager { manager, passkeys ->
            manager.hasEncryptedBackup = false
            equal(passkeys.create(OPTIONS, PasskeyKind.RESTORE), Recorded.CREATED)
            equal(manager.seen, listOf("restore $OPTIONS true", "restore $OPTIONS false"))
        }
    }
    test("a release of androidx.credentials without signals is told nothing") {
        withManager { manager, passkeys ->
            manager.isOld = true
            passkeys.signalAccepted(OPTIONS)
            equal(manager.seen.size, 0)
        }
    }
    test("a cancelled caller closes the sheet of the Credential Manager") {
        withManager { manager, passkeys ->
            manager.isSilent = true
            val waiting = CoroutineScope(Dispatchers.Unconfined).launch(start = CoroutineStart.UNDISPATCHED) {
                passkeys.get(OPTIONS, PasskeyKind.PASSKEY)
            }
            waiting.cancel()
            waiting.join()
            equal(manager.signal?.cancelled, true)
        }
    }
    test("what the Credential Manager throws is an error of the library") {
        val dom = "androidx.credentials.TYPE_CREATE_PUBLIC_KEY_CREDENTIAL_DOM_EXCEPTION/androidx.credentials.TYPE_"
        val created = listOf(
            CreateCredentialCancellationException() to AuthError.Cancelled,
            CreateCredentialInterruptedException() to AuthError.Cancelled,
            CreateCredentialException(dom + "NOT_ALLOWED_ERROR") to AuthError.Cancelled,
            CreateCredentialException(dom + "INVALID_STATE_ERROR") to AuthError.PasskeyExists,
            CreateCredentialException(dom + "SECURITY_ERROR") to AuthError.Refused(0, "security_error", null),
            CreateCredentialException("of ann@example.com") to AuthError.Refused(0, "passkey_failed", null),
        )
        val got = listOf(
            GetCredentialCancellationException() to AuthError.Cancelled,
            GetCredentialInterruptedException() to AuthError.Cancelled,
            NoCredentialException() to AuthError.NoPasskey,
            GetCredentialException(dom + "NOT_ALLOWED_ERROR") to AuthError.Cancelled,
            GetCredentialException("android.credentials.GetCredentialException.TYPE_UNKNOWN") to AuthError.Refused(0, "unknown", null),
        )
        withManager { manager, passkeys ->
            for ((failure, error) in created) {
                manager.createFailure = failure
                equal(refused { passkeys.create(OPTIONS, PasskeyKind.PASSKEY) }, error, failure.type)
            }
            for ((failure, error) in got) {
                manager.getFailure = failure
                equal(refused { passkeys.get(OPTIONS, PasskeyKind.PASSKEY) }, error, failure.type)
                equal(refused { passkeys.get(OPTIONS, PasskeyKind.RESTORE) }, AuthError.NoPasskey, failure.type)
            }
            manager.clearFailure = ClearCredentialException()
            equal(runCatching { passkeys.clearRestoreKey() }.isFailure, true)
        }
    }
}
