package latchkey.checks

import android.security.keystore.KeyGenParameterSpec
import java.io.File
import java.io.InputStream
import java.io.OutputStream
import java.security.Key
import java.security.KeyStoreSpi
import java.security.Provider
import java.security.SecureRandom
import java.security.Security
import java.security.cert.Certificate
import java.security.spec.AlgorithmParameterSpec
import java.util.Collections
import java.util.Date
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import javax.crypto.KeyGeneratorSpi
import javax.crypto.SecretKey
import javax.crypto.spec.SecretKeySpec

/** Android's KeyStore, with faults on demand. Its keys lie in files, so that they survive the process. */
object StubKeyStore {
    /** The folder of the keys. */
    var folder = File(".")

    /** The exceptions of the next look-ups of a key, one each. After [Missing] there is no key. */
    val faults = ConcurrentLinkedQueue<Throwable>()

    /** The exception of every look-up. */
    @Volatile
    var standingFault: Throwable? = null

    /** The keys that were made. */
    val made = AtomicInteger()

    /** Called after a key was made. */
    var onMade: () -> Unit = {}

    class Missing : Exception()

    fun install() {
        if (Security.getProvider("AndroidKeyStore") == null) Security.addProvider(StubProvider())
    }

    fun file(alias: String) = File(folder, "$alias.key")

    fun find(alias: String): SecretKey? {
        val fault = faults.poll() ?: standingFault
        if (fault is Missing) return null
        // As Kotlin and the JVM do it, and Java does not: a checked exception where none is declared.
        if (fault != null) throw fault
        return file(alias).takeIf { it.exists() }?.let { SecretKeySpec(it.readBytes(), "AES") }
    }

    fun make(alias: String): SecretKey {
        val key = ByteArray(32).also { SecureRandom().nextBytes(it) }
        val new = File(folder, "$alias.${made.incrementAndGet()}.${ProcessHandle.current().pid()}")
        new.writeBytes(key)
        new.renameTo(file(alias))
        onMade()
        return SecretKeySpec(key, "AES")
    }
}

class StubProvider : Provider("AndroidKeyStore", "1", "a stand-in") {
    init {
        put("KeyStore.AndroidKeyStore", StubSpi::class.java.name)
        put("KeyGenerator.AES", StubGenerator::class.java.name)
    }
}

class StubGenerator : KeyGeneratorSpi() {
    private var alias = ""

    override fun engineInit(random: SecureRandom?) {}

    override fun engineInit(spec: AlgorithmParameterSpec, random: SecureRandom?) {
        alias = (spec as KeyGenParameterSpec).alias
    }

    override fun engineInit(bits: Int, random: SecureRandom?) {}

    override fun engineGenerateKey(): SecretKey = StubKeyStore.make(alias)
}

class StubSpi : KeyStoreSpi() {
    override fun engineGetKey(alias: String, password: CharArray?): Key? = StubKeyStore.find(alias)

    override fun engineLoad(stream: InputStream?, password: CharArray?) {}

    override fun engineContainsAlias(alias: String) = StubKeyStore.file(alias).exists()

    override fun engineDeleteEntry(alias: String): Unit = throw AssertionError("the library deletes no key")

    override fun engineGetCertificateChain(alias: String): Array<Certificate>? = null

    override fun engineGetCertificate(alias: String): Certificate? = null

    override fun engineGetCreationDate(alias: String): Date? = null

    override fun engineSetKeyEntry(alias: String, key: Key, password: CharArray?, chain: Array<Certificate>?) {}

    override fun engineSetKeyEntry(alias: String, key: ByteArray, chain: Array<Certificate>?) {}

    override fun engineSetCertificateEntry(alias: String, certificate: Certificate) {}

    override fun engineAliases() = Collections.emptyEnumeration<String>()

    override fun engineSize() = 0

    override fun engineIsKeyEntry(alias: String) = true

    override fun engineIsCertificateEntry(alias: String) = false

    override fun engineGetCertificateAlias(certificate: Certificate): String? = null

    override fun engineStore(stream: OutputStream?, password: CharArray?) {}
}
