// What the documents use of androidx.security: preferences in memory, gone with the process.
package androidx.security.crypto

import android.content.Context
import android.content.SharedPreferences

class MasterKey private constructor(val scheme: KeyScheme) {
    enum class KeyScheme { AES256_GCM }

    class Builder(@Suppress("UNUSED_PARAMETER") context: Context) {
        private var scheme: KeyScheme? = null

        fun setKeyScheme(scheme: KeyScheme): Builder = apply { this.scheme = scheme }
        /** As Android's: a key without a scheme is an error. */
        fun build() = MasterKey(scheme ?: throw IllegalArgumentException("build() called before setKeyScheme()"))
    }
}

class EncryptedSharedPreferences private constructor(private val values: MutableMap<String, String>) : SharedPreferences {
    enum class PrefKeyEncryptionScheme { AES256_SIV }
    enum class PrefValueEncryptionScheme { AES256_GCM }

    companion object {
        private val files = mutableMapOf<String, MutableMap<String, String>>()

        @Suppress("UNUSED_PARAMETER")
        fun create(
            context: Context, fileName: String, masterKey: MasterKey, keys: PrefKeyEncryptionScheme,
            values: PrefValueEncryptionScheme
        ): SharedPreferences = EncryptedSharedPreferences(synchronized(files) { files.getOrPut(fileName) { mutableMapOf() } })

        /** What a file holds now. */
        fun contents(fileName: String): Map<String, String> = synchronized(files) { files[fileName].orEmpty().toMap() }
    }

    override fun getString(key: String, otherwise: String?): String? = synchronized(files) { values[key] } ?: otherwise

    override fun edit(): SharedPreferences.Editor = Editor()

    /** All changes at once, with `apply`; null takes a value away, as Android's does. */
    private inner class Editor : SharedPreferences.Editor {
        private val changes = mutableListOf<(MutableMap<String, String>) -> Unit>()

        override fun putString(key: String, value: String?): SharedPreferences.Editor = apply {
            changes.add { if (value == null) it.remove(key) else it[key] = value }
        }

        override fun clear(): SharedPreferences.Editor = apply { changes.add { it.clear() } }

        override fun apply() = synchronized(files) { changes.forEach { it(values) } }
    }
}
