package latchkey.auth

import kotlin.coroutines.cancellation.CancellationException
import latchkey.auth.support.Json

/** A challenge of the server for one use of a passkey, with the options for the system's sheet. */
internal class Ceremony private constructor(
    /** The sealed challenge, which goes back with the credential. */
    val id: String,
    private val publicKey: Map<String, Any?>,
) {
    /** The Idempotency-Key of the request with the credential: a challenge serves once. */
    val key: String get() = keyOf("passkey", id)

    /** Has the device answer the challenge, and returns the members of the request with its credential. */
    suspend fun proof(device: suspend (options: String) -> String): Map<String, Any?> {
        val text = answer(device)
        // Members that this release does not know are passed on.
        val credential = Json.members(text.encodeToByteArray()) ?: throw AuthException(FAILED)
        return mapOf("challengeId" to id, "credential" to credential)
    }

    private suspend fun answer(device: suspend (String) -> String): String = try {
        device(Json.encode(publicKey).decodeToString())
    } catch (failure: AuthException) {
        throw failure
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (_: Exception) {
        // Its text is the system's, and may name the user.
        throw AuthException(FAILED)
    }

    companion object {
        private val FAILED = AuthError.Refused(0, "passkey_failed", null)

        /** Returns the ceremony of a response with options. */
        fun of(response: Map<String, Any?>): Ceremony {
            val id = response["challengeId"] as? String
            @Suppress("UNCHECKED_CAST") val publicKey = response["publicKey"] as? Map<String, Any?>
            if (id == null || publicKey == null) throw AuthException(AuthError.NotLatchkey)
            return Ceremony(id, publicKey)
        }
    }
}
