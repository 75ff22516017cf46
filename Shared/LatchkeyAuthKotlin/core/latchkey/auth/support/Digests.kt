package latchkey.auth.support

import java.net.URLDecoder
import java.security.MessageDigest
import java.security.SecureRandom
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/** Digests and random bytes, by the platform's own providers. */
internal object Digests {
    private val random = SecureRandom()

    /** Returns the SHA-256 of a text in UTF-8. */
    fun sha256(text: String): ByteArray = MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray())

    /** Returns the HMAC-SHA256 of a text in UTF-8. */
    fun hmac(key: ByteArray, text: String): ByteArray {
        val mac = Mac.getInstance("HmacSHA256")
        // The platform refuses an empty key, which HMAC pads with zeros like any other.
        mac.init(SecretKeySpec(if (key.isEmpty()) ByteArray(1) else key, "HmacSHA256"))
        return mac.doFinal(text.encodeToByteArray())
    }

    /** Returns 32 random bytes as 43 visible characters. */
    fun token(): String = Base64Url.encode(ByteArray(32).also { random.nextBytes(it) })

    /** Returns a random number from 0 to 1. */
    fun jitter(): Double = random.nextDouble()
}

/** Base64url without padding (RFC 4648 section 5). Android has `java.util.Base64` from API 26 on only. */
internal object Base64Url {
    private const val DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    fun encode(bytes: ByteArray): String {
        val out = StringBuilder()
        for (start in bytes.indices step 3) {
            val count = minOf(3, bytes.size - start)
            var bits = 0
            for (index in 0 until 3) bits = bits shl 8 or if (index < count) bytes[start + index].toInt() and 0xff else 0
            for (index in 0..count) out.append(DIGITS[bits shr (18 - 6 * index) and 0x3f])
        }
        return out.toString()
    }

    /** Returns the bytes that a text encodes, or `null` if it is not base64url. */
    fun decode(text: String): ByteArray? {
        val values = text.map { DIGITS.indexOf(it) }
        if (values.any { it < 0 } || text.length % 4 == 1) return null
        val bytes = ByteArray(text.length * 3 / 4)
        for (index in bytes.indices) {
            val bit = index * 8
            val (digit, offset) = bit / 6 to bit % 6
            val next = if (digit + 1 < values.size) values[digit + 1] else 0
            val last = if (digit + 2 < values.size) values[digit + 2] else 0
            val bits = values[digit] shl 12 or (next shl 6) or last
            bytes[index] = (bits shr (10 - offset)).toByte()
        }
        return bytes
    }
}

/** Percent-encoding (RFC 3986 section 2.1) of all but letters, digits, `-` and `_`. */
internal object Percent {
    fun encode(text: String): String = text.encodeToByteArray().joinToString("") { byte ->
        val c = (byte.toInt() and 0xff).toChar()
        val isPlain = c in 'a'..'z' || c in 'A'..'Z' || c in '0'..'9' || c == '-' || c == '_'
        if (isPlain) c.toString() else "%" + c.code.toString(16).uppercase().padStart(2, '0')
    }

    /** Returns a text without its percent-encoding, or as it is if that is malformed. */
    fun decode(text: String): String = try {
        // A form has a plus sign for a space, a link has not.
        URLDecoder.decode(text.replace("+", "%2B"), "UTF-8")
    } catch (_: IllegalArgumentException) {
        text
    }
}
