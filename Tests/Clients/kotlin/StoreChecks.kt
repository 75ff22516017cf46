package latchkey.checks

import java.io.File
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions
import java.security.InvalidKeyException
import java.security.ProviderException
import java.security.UnrecoverableKeyException
import android.security.keystore.KeyPermanentlyInvalidatedException
import java.util.concurrent.atomic.AtomicInteger
import javax.crypto.AEADBadTagException
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds
import latchkey.auth.FileStore
import latchkey.auth.NoSeal
import latchkey.auth.Seal
import latchkey.auth.StoreFailure
import latchkey.auth.StoreTrouble
import latchkey.auth.StoreVersion
import latchkey.auth.android.KeyStoreSeal
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test

fun item(epoch: Long, generation: Long) = """{"v":1,"epoch":$epoch,"generation":$generation}"""

fun FileStore.keep(epoch: Long, generation: Long): String? =
    keepNewer(item(epoch, generation).encodeToByteArray(), StoreVersion(epoch, generation))?.decodeToString()

fun FileStore.text(): String? = load()?.decodeToString()

/** The seal of an Android app, without its pauses. */
fun keyStoreSeal(isUnlocked: () -> Boolean = { true }): Seal = KeyStoreSeal("default", pause = {}, isUserUnlocked = isUnlocked)

private fun withStores(body: (FileStore, File) -> Unit) {
    for (seal in listOf<Seal>(NoSeal, keyStoreSeal())) {
        Checks.folder { folder ->
            StubKeyStore.folder = folder
            body(FileStore(File(folder, "a/b"), "default", seal), File(folder, "a/b/default.latchkey"))
        }
    }
}

fun storeChecks() {
    test("the newer item stays") {
        withStores { store, _ ->
            equal(store.text(), null)
            equal(store.keep(1, 1), null)
            equal(store.keep(1, 2), null)
            equal(store.keep(1, 1), item(1, 2))
            equal(store.keep(1, 2), item(1, 2))
            equal(store.keep(2, 0), null)
            equal(store.keep(1, 99), item(2, 0))
            equal(store.text(), item(2, 0))
        }
    }
    test("a damaged file makes room for any item, and is not taken for none") {
        withStores { store, file ->
            store.keep(3, 1)
            file.writeText("garbage")
            equal(store.load() == null, false)
            equal(StoreVersion.of(store.load()!!), null)
            equal(store.keep(1, 1), null)
            equal(store.text(), item(1, 1))
        }
    }
    test("only this user can read the file") {
        withStores { store, file ->
            store.keep(1, 1)
            equal(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())), "rw-------")
            equal(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.parentFile.toPath())), "rwx------")
        }
    }
    test("a folder that cannot be made is a failure, and no sign-out") {
        Checks.folder { folder ->
            File(folder, "a").writeText("a file")
            equal(troubleOf { FileStore(File(folder, "a/b")).keep(1, 1) }, StoreTrouble.Unwritable)
        }
    }
    test("a name cannot leave the folder") {
        Checks.folder { folder ->
            FileStore(folder, "../someone").keep(1, 1)
            equal(File(folder, "%2E%2E%2Fsomeone.latchkey").exists(), true)
        }
    }
    test("50 threads write, and the newest stays") {
        withStores { store, _ ->
            val written = AtomicInteger()
            val threads = (0 until 50).map { number ->
                thread {
                    for (round in 0 until 5L) if (store.keep(1, round * 50 + number) == null) written.incrementAndGet()
                }
            }
            for (each in threads) each.join()
            equal(store.text(), item(1, 249))
        }
    }
    test("four processes write, and no write is lost") {
        Checks.folder { folder ->
            val children = (0 until 4).map { Checks.child("child", "count", folder.path, "50") }
            for (each in children) equal(each.waitFor(), 0)
            StubKeyStore.folder = folder
            equal(FileStore(folder, "default", keyStoreSeal()).text(), item(1, 200))
        }
    }
    test("a process that ends at any step of a write leaves the old item or the new one") {
        for (step in listOf("seal", "key", "create", "write", "synchronize", "rename", "done")) {
            for (writes in 0L..2L) {
                Checks.folder { folder ->
                    StubKeyStore.folder = folder
                    val store = FileStore(folder, "default", keyStoreSeal())
                    for (generation in 1..writes) store.keep(1, generation)
                    val code = Checks.child("child", "die", folder.path, step, "${writes + 1}").waitFor()
                    // A key is made for the first item only.
                    if (step != "key" || writes == 0L) equal(code, 9, "the child at $step")
                    val old = if (writes == 0L) null else item(1, writes)
                    val isNew = step == "done" || step == "key" && writes > 0
                    equal(store.text(), if (isNew) item(1, writes + 1) else old, "$step after $writes")
                    equal(store.keep(2, 1), null)
                    equal(store.text(), item(2, 1))
                }
            }
        }
    }
}

private fun troubleOf(body: () -> Unit): StoreTrouble? = try {
    body()
    null
} catch (failure: StoreFailure) {
    failure.trouble
}

fun keyStoreChecks() {
    val passing = listOf(ProviderException("keystore"), InvalidKeyException(), IllegalStateException(), java.security.KeyStoreException())
    val proofs = listOf(
        KeyPermanentlyInvalidatedException(), UnrecoverableKeyException(), AEADBadTagException(), StubKeyStore.Missing(),
    )
    fun withItem(body: (FileStore, File) -> Unit) = Checks.folder { folder ->
        StubKeyStore.folder = folder
        StubKeyStore.faults.clear()
        val store = FileStore(folder, "default", keyStoreSeal())
        store.keep(1, 1)
        try {
            body(store, folder)
        } finally {
            StubKeyStore.standingFault = null
            StubKeyStore.faults.clear()
        }
    }
    test("the item is not in the file as text") {
        withItem { _, folder -> equal("epoch" in File(folder, "default.latchkey").readText(), false) }
    }
    test("one or two faults of any kind do no harm") {
        for (fault in passing + proofs) {
            for (count in 1..2) {
                withItem { store, _ ->
                    repeat(count) { StubKeyStore.faults.add(fault) }
                    equal(store.text(), item(1, 1), fault)
                    repeat(count) { StubKeyStore.faults.add(fault) }
                    equal(store.keep(1, 2), null, fault)
                    equal(store.text(), item(1, 2), fault)
                }
            }
        }
    }
    test("a fault that lasts makes the store unavailable, and loses nothing") {
        for (fault in passing) {
            withItem { store, folder ->
                val made = StubKeyStore.made.get()
                val before = File(folder, "default.latchkey").readBytes()
                StubKeyStore.standingFault = fault
                equal(troubleOf { store.load() }, StoreTrouble.Unreadable, fault)
                equal(troubleOf { store.keep(1, 2) }, StoreTrouble.Unreadable, fault)
                StubKeyStore.standingFault = null
                equal(StubKeyStore.made.get(), made)
                equal(File(folder, "default.latchkey").readBytes().toList(), before.toList())
                equal(store.text(), item(1, 1))
            }
        }
    }
    test("a passing fault among proofs proves nothing") {
        withItem { store, _ ->
            StubKeyStore.faults += listOf(UnrecoverableKeyException(), ProviderException("keystore"), UnrecoverableKeyException())
            equal(troubleOf { store.load() }, StoreTrouble.Unreadable)
            equal(store.text(), item(1, 1))
        }
    }
    test("a key that is proved gone loses the item, and the next sign-in makes a new one") {
        for (fault in proofs - proofs[2]) {
            withItem { store, folder ->
                StubKeyStore.standingFault = fault
                equal(store.text(), "", fault)
                StubKeyStore.standingFault = null
                StubKeyStore.file("latchkey.default").delete()
                equal(store.keep(2, 1), null)
                equal(store.text(), item(2, 1))
                equal(folder.listFiles().orEmpty().any { it.name == "latchkey.default.key" }, true)
            }
        }
    }
    test("another key's item is lost") {
        withItem { store, _ ->
            StubKeyStore.make("latchkey.default")
            equal(store.text(), "")
        }
    }
    test("before the first unlock nothing is known") {
        Checks.folder { folder ->
            StubKeyStore.folder = folder
            var isUnlocked = true
            val store = FileStore(folder, "default", keyStoreSeal { isUnlocked })
            store.keep(1, 1)
            isUnlocked = false
            equal(troubleOf { store.load() }, StoreTrouble.ProtectedData)
            equal(troubleOf { store.keep(1, 2) }, StoreTrouble.ProtectedData)
            isUnlocked = true
            equal(store.text(), item(1, 1))
        }
    }
}

/** The work of other processes. */
object ChildProcess {
    fun run(arguments: List<String>) {
        StubKeyStore.install()
        StubKeyStore.folder = File(arguments[1])
        val store = FileStore(File(arguments[1]), "default", keyStoreSeal())
        when (arguments[0]) {
            "count" -> count(store, arguments[2].toInt())
            "die" -> die(store, arguments[2], arguments[3].toLong())
            "renew" -> renew(store, arguments[2], arguments[3].toDouble().seconds, Death(arguments[4].toInt()))
        }
    }

    /** Adds one to the generation, this many times. */
    private fun count(store: FileStore, times: Int) {
        repeat(times) {
            do {
                val generation = store.load()?.let { StoreVersion.of(it) }?.generation ?: 0
                // A busy machine lets the wait for the file lock run out. Nothing is written then.
                val isKept = try { store.keep(1, generation + 1) == null } catch (_: StoreFailure) { false }
            } while (!isKept)
        }
    }

    private fun die(store: FileStore, step: String, generation: Long) {
        if (step == "key") StubKeyStore.onMade = { Runtime.getRuntime().halt(9) }
        store.onStep = { if (it == step) Runtime.getRuntime().halt(9) }
        store.keep(1, generation)
    }
}
