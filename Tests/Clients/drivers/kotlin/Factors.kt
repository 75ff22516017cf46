package latchkey.driver

import java.util.concurrent.atomic.AtomicReference
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible
import latchkey.auth.*

/** The runner's sheet for passkeys, which may want to know those of the account. */
class RunnerSheet(private val wire: Wire, private val isTold: Boolean) : PasskeyPlatform {
    override suspend fun create(options: String, kind: PasskeyKind): String = ask("create", options)

    override suspend fun get(options: String, kind: PasskeyKind): String = ask("get", options)

    override suspend fun clearRestoreKey() {}

    override suspend fun signalAccepted(accepted: String) {
        val ids = (readJson(accepted)?.get("allAcceptedCredentialIds") as? List<*>).orEmpty().joinToString("+")
        if (isTold) wire.tell(mapOf("event" to "accepted:" + ids.ifEmpty { "nothing" }))
    }

    private suspend fun ask(what: String, options: String): String {
        val answer = runInterruptible(Dispatchers.IO) { wire.ask(mapOf("what" to what, "options" to options)) }
        val error = if (answer["trouble"] == "exists") AuthError.PasskeyExists else AuthError.Cancelled
        return answer["credential"] ?: throw AuthException(error)
    }
}

/** The calls about passkeys and second factors. */
class Factors(private val auth: LatchkeyAuth, wire: Wire, isTold: Boolean) {
    private val sheet = RunnerSheet(wire, isTold)

    /** The token of the last sign-in that wanted a second factor. */
    val token = AtomicReference<MfaToken?>()

    /** Returns the result of a call, or `null` if it is about something else. */
    suspend fun answer(call: Call): String? {
        val id = call["passkey"] ?: ""
        when (call["do"]) {
            "addPasskey" -> return auth.addPasskey(sheet, call["name"]).activeFrom?.let { "waits ${it.time / 1000}" } ?: "added"
            "signInWithPasskey" -> return auth.signInWithPasskey(sheet).word
            "passkeys" -> return auth.passkeys().joinToString(",") { "${it.id} ${it.name}" }
            "renamePasskey" -> auth.renamePasskey(id, call["name"] ?: "")
            "removePasskey" -> auth.removePasskey(id, sheet)
            "signInWithSecondFactor" -> return auth.signInWithSecondFactor(token.get() ?: MfaToken(""), factorOf(call)).word
            "stepUp" -> auth.stepUp(factorOf(call))
            "beginTOTP" -> return auth.beginTOTP().uri
            "activateTOTP" -> return "${auth.activateTOTP(call["code"] ?: "").size} codes"
            "renewRecoveryCodes" -> return "${auth.renewRecoveryCodes().size} codes"
            "removeTOTP" -> auth.removeTOTP()
            "cancelSecondFactorReset" -> auth.cancelSecondFactorReset()
            "requireSecondFactor" -> auth.requireSecondFactor(true)
            "secondFactors" -> return auth.secondFactors().let {
                listOfNotNull(
                    "totp".takeIf { _ -> it.hasTOTP }, it.activeFrom?.let { time -> "waits ${time.time / 1000}" },
                    "required".takeIf { _ -> it.isRequired }, "recovery ${it.recoveryCodesLeft}", "passkeys ${it.passkeys}",
                    it.resetAt?.let { time -> "reset ${time.time / 1000}" },
                ).joinToString(",")
            }
            else -> return null
        }
        return "done"
    }

    private fun factorOf(call: Call): SecondFactor = call["totp"]?.let { SecondFactor.totp(it) }
        ?: call["recoveryCode"]?.let { SecondFactor.recoveryCode(it) } ?: SecondFactor.passkey(sheet)
}
