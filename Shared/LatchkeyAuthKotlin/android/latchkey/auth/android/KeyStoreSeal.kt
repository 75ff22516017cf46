package latchkey.auth.android

import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyPermanentlyInvalidatedException
import android.security.keystore.KeyProperties
import java.security.GeneralSecurityException
import java.security.KeyStore
import java.security.UnrecoverableKeyException
import javax.crypto.AEADBadTagException
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec
import latchkey.auth.Seal
import latchkey.auth.StoreFailure
import latchkey.auth.StoreTrouble

/**
 * AES-256-GCM by a key that never leaves the KeyStore. The key asks for no user authentication, so a new lock screen or a new
 * fingerprint does not invalidate it, and for no StrongBox, which is slow and often absent.
 *
 * The KeyStore fails for passing reasons, and then says much the same as when a key is gone. So nothing is ever deleted, each
 * failure is tried again, and an item counts as lost only if three attempts over two seconds all prove it.
 */
internal class KeyStoreSeal(
    private val profile: String, private val pause: (Long) -> Unit = Thread::sleep, private val isUserUnlocked: () -> Boolean,
) : Seal {
    private val alias = "latchkey.$profile"

    override val isReadable: Boolean get() = isUserUnlocked()

    override fun seal(data: ByteArray, isFirst: Boolean): ByteArray {
        val sealed = attempts(StoreTrouble.Unwritable) {
            // With an item in place, a key that seems to be missing may only be out of reach.
            encrypt(data, key() ?: if (isFirst) newKey() else throw KeyMissing())
        }
        return sealed ?: attempts(StoreTrouble.Unwritable) { encrypt(data, newKey()) }
            ?: throw StoreFailure(StoreTrouble.Unwritable)
    }

    override fun open(sealed: ByteArray, again: () -> ByteArray?): ByteArray? {
        var bytes: ByteArray? = sealed
        return attempts(StoreTrouble.Unreadable) { number ->
            if (number > 0) bytes = again()
            Opened(bytes?.let { decrypt(it, key() ?: throw KeyMissing()) })
        }.let { if (it == null) ByteArray(0) else it.content }
    }

    /** An item, or `null` for a file that has vanished. */
    private class Opened(val content: ByteArray?)

    private class KeyMissing : GeneralSecurityException()

    /** Tries three times. Returns `null` if each failure proves that the key or the item is gone. */
    private fun <T : Any> attempts(trouble: StoreTrouble, attempt: (Int) -> T): T? {
        var last: Exception? = null
        var proofs = 0
        for ((number, wait) in PAUSES.withIndex()) {
            if (wait > 0) pause(wait)
            try {
                return attempt(number)
            } catch (failure: Exception) {
                // Whatever the KeyStore throws: on some devices that is a NullPointerException.
                last = failure
                if (isProof(failure)) proofs++
            }
        }
        if (proofs == PAUSES.size) return null
        throw StoreFailure(trouble, last)
    }

    private fun isProof(failure: Exception): Boolean =
        failure is KeyPermanentlyInvalidatedException || failure is UnrecoverableKeyException ||
            failure is AEADBadTagException || failure is KeyMissing

    private fun key(): SecretKey? {
        val keyStore = KeyStore.getInstance(PROVIDER)
        keyStore.load(null)
        return keyStore.getKey(alias, null) as SecretKey?
    }

    private fun newKey(): SecretKey {
        val purposes = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val spec = KeyGenParameterSpec.Builder(alias, purposes)
            .setKeySize(256).setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE).build()
        val generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, PROVIDER)
        generator.init(spec)
        return generator.generateKey()
    }

    private fun encrypt(data: ByteArray, key: SecretKey): ByteArray {
        val cipher = Cipher.getInstance(TRANSFORMATION)
        cipher.init(Cipher.ENCRYPT_MODE, key)
        cipher.updateAAD(profile.encodeToByteArray())
        // The KeyStore chooses the initialization vector.
        return byteArrayOf(FORMAT) + cipher.iv + cipher.doFinal(data)
    }

    private fun decrypt(sealed: ByteArray, key: SecretKey): ByteArray {
        if (sealed.size < 1 + IV_BYTES + TAG_BITS / 8 || sealed[0] != FORMAT) throw AEADBadTagException()
        val cipher = Cipher.getInstance(TRANSFORMATION)
        cipher.init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(TAG_BITS, sealed, 1, IV_BYTES))
        cipher.updateAAD(profile.encodeToByteArray())
        return cipher.doFinal(sealed, 1 + IV_BYTES, sealed.size - 1 - IV_BYTES)
    }

    private companion object {
        const val PROVIDER = "AndroidKeyStore"
        const val TRANSFORMATION = "AES/GCM/NoPadding"
        const val FORMAT: Byte = 1
        const val IV_BYTES = 12
        const val TAG_BITS = 128

        /** The waits before the attempts, in milliseconds. */
        val PAUSES = listOf(0L, 500L, 1500L)
    }
}
