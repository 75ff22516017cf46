package latchkey.checks

import java.io.File
import java.nio.file.Files
import kotlin.system.exitProcess
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** A small frame for tests: a name, and a body that throws. */
object Checks {
    private var count = 0
    private var failed = 0
    private var chosen = ""

    fun test(name: String, body: () -> Unit) {
        if (chosen !in name) return
        count++
        try {
            body()
        } catch (failure: Throwable) {
            failed++
            println("failed: $name: $failure\n    at " + failure.stackTrace.take(12).joinToString("\n    at "))
        }
    }

    fun equal(found: Any?, wanted: Any?, what: Any = "") {
        if (found != wanted) throw AssertionError("$what: $found in place of $wanted")
    }

    fun <T> folder(body: (File) -> T): T {
        val folder = Files.createTempDirectory("latchkey-checks").toFile()
        try {
            return body(folder)
        } finally {
            folder.deleteRecursively()
        }
    }

    /** Waits for something that another thread does. */
    fun eventually(what: String, body: () -> Boolean) {
        val end = System.nanoTime() + 20_000_000_000
        while (!body()) {
            if (System.nanoTime() > end) throw AssertionError("not within 20 s: $what")
            Thread.sleep(2)
        }
    }

    suspend fun eventuallySuspending(what: String, body: () -> Boolean) = withContext(Dispatchers.IO) { eventually(what, body) }

    /** Starts this program again, with other arguments. */
    fun child(vararg arguments: String): Process = ProcessBuilder(
        listOf("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")) +
            "latchkey.checks.Checks" + arguments,
    ).inheritIO().start()

    /** Runs the checks whose names contain the argument, or all of them. */
    @JvmStatic
    fun main(arguments: Array<String>) {
        if (arguments.firstOrNull() == "child") return ChildProcess.run(arguments.drop(1))
        chosen = arguments.firstOrNull() ?: ""
        StubKeyStore.install()
        storeChecks()
        keyStoreChecks()
        goldenChecks()
        threadChecks()
        deathChecks()
        androidChecks()
        okHttpChecks()
        signInChecks()
        passkeyChecks()
        credentialManagerChecks()
        println("$count checks of stores, threads, OkHttp and Android, $failed failed")
        exitProcess(if (failed == 0) 0 else 1)
    }
}
