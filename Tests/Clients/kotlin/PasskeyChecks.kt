package latchkey.checks

import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import latchkey.auth.*
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.eventuallySuspending
import latchkey.checks.Checks.test

private suspend fun refused(call: suspend () -> Unit): AuthError? = try {
    call()
    null
} catch (failure: AuthException) {
    failure.error
}

private fun withDevice(body: suspend CoroutineScope.(PasskeyServer, RecordedDevice, LatchkeyAuth) -> Unit) {
    val (server, device) = PasskeyServer() to RecordedDevice()
    passkeySession(server).use { auth -> runBlocking { body(server, device, auth) } }
}

private suspend fun LatchkeyAuth.signIn() = signInWithPassword("a@example.com", "secret")

/** Passkeys of which no scenario tells: the platform's JSON, what a device is told, and restore keys. */
fun passkeyChecks() {
    jsonChecks()
    signalChecks()
    restoreKeyChecks()
    restoringChecks()
    test("no secret of a second factor is printed") {
        val required = AuthException(AuthError.SecondFactorRequired(MfaToken("secret"), listOf("totp")))
        val texts = listOf(required, SecondFactor.totp("secret"), SecondFactor.recoveryCode("secret"), MfaToken("secret"))
        equal(texts.none { "secret" in "$it" }, true, texts)
    }
}

private fun jsonChecks() {
    test("options and credentials pass as they are") {
        withDevice { server, device, auth ->
            auth.signInWithPasskey(device)
            equal(membersOf(device.options["get PASSKEY"] ?: ""), membersOf(Recorded.TO_SIGN))
            equal(server.bodies["POST /auth/passkeys/verify"]?.get("credential"), membersOf(Recorded.SIGNED))
            auth.addPasskey(device)
            equal(membersOf(device.options["create PASSKEY"] ?: ""), membersOf(Recorded.TO_CREATE))
            // Android refuses the number of an algorithm that is a text or has a fraction.
            equal(Regex("\"alg\":-257[,}]").containsMatchIn(device.options["create PASSKEY"] ?: ""), true)
            val added = mapOf<String, Any?>("challengeId" to "ch_2", "credential" to membersOf(Recorded.CREATED))
            equal(server.bodies["POST /users/me/passkeys"], added)
            auth.stepUp(SecondFactor.passkey(device))
            equal(server.bodies["POST /auth/reauthenticate"], mapOf("challengeId" to "ch_1", "credential" to membersOf(Recorded.SIGNED)))
        }
    }
    test("what a device throws is an error without its text, and nothing is sent") {
        withDevice { server, device, auth ->
            device.failure = IllegalStateException("ann@example.com")
            val failure = runCatching { auth.signInWithPasskey(device) }.exceptionOrNull()
            equal((failure as? AuthException)?.error, AuthError.Refused(0, "passkey_failed", null))
            equal("ann" in "$failure", false)
            equal(server.seen, listOf("POST /auth/passkeys/options"))
            equal(auth.state.value, State.SignedOut(null))
        }
    }
    test("a caller who goes away closes the sheet") {
        withDevice { server, device, auth ->
            device.gate = CompletableDeferred()
            val only = launch { auth.signInWithPasskey(device) }
            eventuallySuspending("the sheet") { "get PASSKEY" in device.calls }
            only.cancel()
            eventuallySuspending("its end") { "closed" in device.calls }
            equal("POST /auth/passkeys/verify" in server.seen, false)
        }
    }
    test("a passkey is not added to the account of another user who has signed in meanwhile") {
        withDevice { server, device, auth ->
            auth.signIn()
            device.gate = CompletableDeferred()
            val added = async { refused { auth.addPasskey(device) } }
            val steppedUp = async { refused { auth.stepUp(SecondFactor.passkey(device)) } }
            eventuallySuspending("the sheets") { device.calls.size == 2 }
            auth.signIn()
            device.gate.complete(Unit)
            equal(added.await() to steppedUp.await(), AuthError.SignedOut(null) to AuthError.SignedOut(null))
            equal(server.seen.any { it == "POST /users/me/passkeys" || it == "POST /auth/reauthenticate" }, false)
        }
    }
}

private fun signalChecks() {
    fun signal(handle: String, vararg ids: String) =
        mapOf("rpId" to "example.com", "userId" to handle, "allAcceptedCredentialIds" to ids.toList())
    test("each handle of the account is told its passkeys, and no restore keys") {
        withDevice { _, device, auth ->
            auth.signInWithPasskey(device)
            eventuallySuspending("the signals") { device.signals.size == 2 }
            equal(device.signals, listOf(signal("a", "c_psk_1"), signal("b", "c_psk_2")))
            device.signals.clear()
            auth.removePasskey("psk_2", device)
            equal(device.signals, listOf(signal("a", "c_psk_1"), signal("b")))
        }
    }
    test("nothing is told of a list that is not whole") {
        val unreadable = listOf(
            """{"id":"psk_2"}""", PasskeyServer.row("psk_2", "b", "other"), PasskeyServer.row("psk_2", "b").replace("userHandle", "handle"),
        )
        for (row in unreadable) {
            withDevice { server, device, auth ->
                auth.signIn()
                server.answers["GET /users/me/passkeys"] = 200 to """{"passkeys":[${PasskeyServer.row("psk_1", "a")},$row]}"""
                auth.removePasskey("psk_1", device)
                equal(device.signals.size, 0, row)
            }
        }
    }
    test("a passkey is removed without a device, and while the server's document cannot be read") {
        withDevice { server, device, auth ->
            auth.signIn()
            auth.removePasskey("psk_1")
            server.isOffline.add("GET /.well-known/latchkey")
            auth.removePasskey("psk_2", device)
            equal(server.seen.count { it.startsWith("DELETE ") } to device.signals.size, 2 to 0)
            equal(server.seen.contains("GET /users/me/passkeys"), false)
        }
    }
}

private fun restoreKeyChecks() {
    fun withKeys(clock: MovedClock = MovedClock(), body: suspend CoroutineScope.(PasskeyServer, RecordedDevice, LatchkeyAuth) -> Unit) {
        val (server, device) = PasskeyServer() to RecordedDevice()
        passkeySession(server, device, clock = clock).use { auth -> runBlocking { body(server, device, auth) } }
    }
    test("a sign-in makes a restore key, and a sign-out deletes it before the session ends") {
        withKeys { server, device, auth ->
            auth.signIn()
            eventuallySuspending("the key") { "POST /users/me/passkeys" in server.seen }
            equal(server.bodies["POST /users/me/passkeys/options"], mapOf<String, Any?>("kind" to "restore"))
            equal(server.bodies["POST /users/me/passkeys"]?.get("credential"), membersOf(Recorded.CREATED))
            var before: Pair<Boolean, Boolean>? = null
            device.onClear = { before = (auth.state.value is State.SignedIn) to ("POST /auth/logout" in server.seen) }
            equal(auth.signOut(), SignOutResult(isStored = true, isConfirmed = true))
            equal(before, true to false)
            equal(device.calls, listOf("create RESTORE", "clear"))
        }
    }
    test("a device that cannot delete the key, or never answers, holds no sign-out up") {
        val clock = MovedClock()
        withKeys(clock) { server, device, auth ->
            auth.signIn()
            eventuallySuspending("the key") { "POST /users/me/passkeys" in server.seen }
            device.onClear = { throw IllegalStateException("no services") }
            equal(auth.signOut().isStored, true)
            auth.signIn()
            eventuallySuspending("the next key") { server.seen.count { it == "POST /users/me/passkeys" } == 2 }
            device.onClear = { CompletableDeferred<Unit>().await() }
            val signingOut = async { auth.signOut() }
            eventuallySuspending("the second deletion") { device.calls.count { it == "clear" } == 2 }
            clock.now += 3.seconds
            equal(signingOut.await().isStored, true)
        }
    }
    test("a key that is made while the user signs out is deleted, and not sent") {
        val clock = MovedClock()
        withKeys(clock) { server, device, auth ->
            device.gate = CompletableDeferred()
            auth.signIn()
            eventuallySuspending("the device") { "create RESTORE" in device.calls }
            val signingOut = async { auth.signOut() }
            // The first time may be before the sign-out has begun to wait.
            for (attempt in 1..3) if (!signingOut.isCompleted) delay(500).also { clock.now += 3.seconds }
            signingOut.await()
            device.gate.complete(Unit)
            eventuallySuspending("the deletion") { "clear" in device.calls }
            equal("POST /users/me/passkeys" in server.seen, false)
        }
    }
    test("a caller who goes away while the key is deleted is signed out") {
        withKeys { server, device, auth ->
            auth.signIn()
            eventuallySuspending("the key") { "POST /users/me/passkeys" in server.seen }
            val gate = CompletableDeferred<Unit>()
            device.onClear = { gate.await() }
            val screen = launch { auth.signOut() }
            eventuallySuspending("the deletion") { "clear" in device.calls }
            screen.cancel()
            screen.join()
            gate.complete(Unit)
            eventuallySuspending("the sign-out") { auth.state.value == State.SignedOut(SignOutReason.ASKED) }
        }
    }
    test("a restore key asks the user nothing") {
        withKeys { server, device, auth ->
            var asked = 0
            auth.onReauthenticate { asked++ }
            server.answers["POST /users/me/passkeys/options"] = 403 to """{"code":"reauthentication_required"}"""
            auth.signIn()
            equal(refused { auth.createRestoreKey() }, AuthError.ReauthenticationRequired)
            equal(asked to device.calls.size, 0 to 0)
        }
    }
    test("a deleted account leaves no restore key") {
        withKeys { server, device, auth ->
            auth.signIn()
            eventuallySuspending("the key") { "POST /users/me/passkeys" in server.seen }
            server.answers["DELETE /users/me"] = 403 to """{"code":"reauthentication_required"}"""
            equal(refused { auth.deleteAccount() }, AuthError.ReauthenticationRequired)
            equal("clear" in device.calls, false)
            server.answers.clear()
            auth.deleteAccount()
            equal("clear" in device.calls, true)
            equal(auth.state.value, State.SignedOut(SignOutReason.DELETED))
        }
    }
}

private fun restoringChecks() {
    test("a new phone signs in by its restore key, and makes one of its own") {
        val (server, device) = PasskeyServer() to RecordedDevice()
        passkeySession(server, device).use { auth ->
            runBlocking {
                equal(auth.signInWithRestoreKey()?.user?.id, "usr_1")
                equal(server.bodies["POST /auth/passkeys/verify"]?.get("credential"), membersOf(Recorded.SIGNED))
                eventuallySuspending("its own key") { "POST /users/me/passkeys" in server.seen }
                equal(device.calls, listOf("get RESTORE", "create RESTORE"))
                equal(auth.signInWithRestoreKey(), null)
            }
        }
    }
    test("a stored session that the new phone cannot read is restored, and a sign-out is not") {
        val store = MemoryStore()
        store.keepNewer("damaged".encodeToByteArray(), StoreVersion(1, 1))
        val (server, device) = PasskeyServer() to RecordedDevice()
        passkeySession(server, device, store).use { auth ->
            runBlocking {
                equal(auth.state.value, State.SignedOut(SignOutReason.STORAGE_LOST))
                equal(auth.signInWithRestoreKey()?.user?.id, "usr_1")
                eventuallySuspending("its own key") { "POST /users/me/passkeys" in server.seen }
                device.onClear = { throw IllegalStateException("no services") }
                auth.signOut()
            }
        }
        device.onClear = {}
        device.calls.clear()
        passkeySession(server, device, store).use { auth ->
            equal(runBlocking { auth.signInWithRestoreKey() }, null)
            equal(auth.state.value, State.SignedOut(SignOutReason.ASKED))
            equal(device.calls, listOf("clear"))
        }
    }
    test("without a key there is no sign-in, and one that the server refuses is deleted") {
        val (server, device) = PasskeyServer() to RecordedDevice()
        passkeySession(server, device).use { auth ->
            runBlocking {
                device.failure = AuthException(AuthError.NoPasskey)
                equal(auth.signInWithRestoreKey(), null)
                device.failure = null
                server.isOffline.add("POST /auth/passkeys/verify")
                equal(refused { auth.signInWithRestoreKey() }, AuthError.Offline)
                equal(server.seen.count { it == "POST /auth/passkeys/verify" } to ("clear" in device.calls), 2 to false)
                server.isOffline.clear()
                server.answers["POST /auth/passkeys/verify"] = 401 to """{"code":"passkey_refused"}"""
                equal(auth.signInWithRestoreKey(), null)
                equal(device.calls.last() to auth.state.value, "clear" to State.SignedOut(null))
            }
        }
    }
    test("a user who signs in while the key is used keeps their session") {
        val (server, device) = PasskeyServer() to RecordedDevice()
        passkeySession(server, device).use { auth ->
            runBlocking {
                device.gate = CompletableDeferred()
                val restoring = async { refused { auth.signInWithRestoreKey() } }
                eventuallySuspending("the device") { "get RESTORE" in device.calls }
                auth.signIn()
                device.gate.complete(Unit)
                equal(restoring.await(), AuthError.Cancelled)
                equal("POST /auth/passkeys/verify" in server.seen, false)
            }
        }
    }
    test("an app without restore keys has none") {
        passkeySession(PasskeyServer()).use { auth ->
            runBlocking {
                equal(auth.signInWithRestoreKey(), null)
                equal(refused { auth.createRestoreKey() }, AuthError.MethodNotOffered)
            }
        }
    }
}
