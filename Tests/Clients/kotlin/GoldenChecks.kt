package latchkey.checks

import java.io.File
import java.util.Base64
import latchkey.auth.FileStore
import latchkey.auth.record.StoredItem
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test

private const val ORIGIN = "https://api.example.com"

/** An item of `golden/`, sealed by release 0.7.0 with the key 00 01 … 1f for the profile `default`. */
private const val SEALED =
    "AWRlZmdoaWprbG1ubzM5uxYWij68BFZzyr0ABJgwo3Jj5ALRSJf9jjuSxMst8KY1tG4ouWWOmB1b327ouTlhqZpp8QdGjuteRN/Xi3wPUiZm"

/** The format of the stored item, which the libraries of all languages share, and of the sealed file on Android. */
fun goldenChecks() {
    val golden = File(System.getenv("LATCHKEY_SUITE"), "golden")
    test("the items of every library and release are read, and written with the same bytes") {
        val files = golden.listFiles().orEmpty()
        equal(files.size >= 2, true)
        for (file in files) {
            val text = file.readText().trim()
            val item = StoredItem.of(text.encodeToByteArray(), ORIGIN)
            equal(item is StoredItem.Record || item is StoredItem.SignedOut, true, file.name)
            equal(item.encoded().decodeToString(), text, file.name)
            if (item is StoredItem.Record) equal(item.record.renewalKey, "YtLE9rDy1pGxOIduDXBZN1h38o6rZFdXz9CH7zvZKSg")
        }
    }
    test("a file that an earlier release has sealed is opened") {
        Checks.folder { folder ->
            StubKeyStore.folder = folder
            StubKeyStore.file("latchkey.default").writeBytes(ByteArray(32) { it.toByte() })
            File(folder, "default.latchkey").writeBytes(Base64.getDecoder().decode(SEALED))
            equal(
                FileStore(folder, "default", keyStoreSeal()).text(), File(golden, "swift-0.7.0-signed-out.json").readText().trim(),
            )
        }
    }
    test("a sign-out of another server is not sent to this one") {
        fun kept(origin: String) = StoredItem.of(
            """{"v":1,"epoch":2,"generation":0,"signedOut":"asked","unconfirmed":[{"accessToken":"A","since":1$origin}]}"""
                .encodeToByteArray(), ORIGIN,
        ).kept.map { it.accessToken }
        equal(kept(""), listOf("A"))
        equal(kept(",\"origin\":\"$ORIGIN\""), listOf("A"))
        for (other in listOf("\"https://other.example\"", "1", "\"$ORIGIN/\"", "\"\"")) {
            equal(kept(",\"origin\":$other"), emptyList<String>(), other)
        }
    }
    test("an item too long leaves out what can be fetched again") {
        val text = File(golden, "swift-0.7.0.json").readText()
        val record = (StoredItem.of(text.encodeToByteArray(), ORIGIN) as StoredItem.Record).record
        for ((length, hasToken, hasUser) in listOf(Triple(3000, true, true), Triple(3800, true, false), Triple(8000, false, false))) {
            val data = StoredItem.Record(record.copy(accessToken = "a".repeat(length))).encoded()
            val read = (StoredItem.of(data, ORIGIN) as StoredItem.Record).record
            equal(data.size <= 4096, true, length)
            equal((read.accessToken != null) to (read.user != null), hasToken to hasUser, length)
            equal(read.refreshToken, record.refreshToken)
        }
    }
}
