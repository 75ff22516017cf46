package latchkey.driver

import java.io.File
import kotlin.system.exitProcess
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import latchkey.auth.*
import latchkey.auth.machine.*
import latchkey.auth.record.*

// Level 0: the rows of Tests/Clients/machine, whose words README.md explains. The time is 10,000 s; a token lives 3,600 s.

private val present = Moment(10_000.seconds, 1_800_000_000)

private class Words(text: String) {
    private val parts = text.split(' ')
    private val names = parts.filter { '=' !in it }
    private val values = parts.filter { '=' in it }.associate { it.substringBefore('=') to it.substringAfter('=') }

    operator fun get(name: String): String? = values[name]

    fun seconds(name: String): Duration? = values[name]?.toDouble()?.seconds

    fun name(index: Int): String = names.getOrElse(index) { "" }

    fun caller(index: Int): Int = name(index).toIntOrNull() ?: 0

    fun version(index: Int): StoreVersion {
        val counts = name(index).split('.').map { it.toLongOrNull() ?: 0 }
        return StoreVersion(counts[0], counts.getOrElse(1) { 0 })
    }
}

private val StoreVersion.word: String get() = "$epoch.$generation"

private fun record(version: StoreVersion, age: Long = 0) = SessionRecord(
    "https://example.com", version, "", "T${version.word}", "A${version.word}", present.wall - age, 3600, "usr_1",
)

private fun reason(word: String) = SignOutReason.entries.firstOrNull { words(it.name) == word }

private fun fault(word: String): AuthError = when (word) {
    "offline" -> AuthError.Offline
    "timedOut" -> AuthError.TimedOut
    "untrustedServer" -> AuthError.UntrustedServer
    "notLatchkey" -> AuthError.NotLatchkey
    "rateLimited" -> AuthError.RateLimited(120.seconds)
    "storeUnavailable" -> AuthError.StoreUnavailable(StoreTrouble.Unreadable)
    else -> AuthError.Unavailable(null)
}

/** Such as `record 1.4 age=100`, `signedOut 5 asked`, `lost 3` or `nothing`, after some other words. */
private fun item(words: Words, index: Int): StoredItem = when (words.name(index)) {
    "record" -> StoredItem.Record(record(words.version(index + 1), words["age"]?.toLong() ?: 0), kept(words["kept"]))
    "signedOut" ->
        StoredItem.SignedOut(words.version(index + 1), reason(words.name(index + 2)) ?: SignOutReason.ASKED, kept(words["kept"]))
    "lost" -> StoredItem.Lost(words.version(index + 1).epoch)
    else -> StoredItem.Nothing
}

private val StoredItem.word: String
    get() = when (this) {
        is StoredItem.Record -> version.word
        is StoredItem.SignedOut -> "signedOut ${version.epochWord} ${words(reason.name)}"
        else -> "nothing"
    } + if (kept.isEmpty()) "" else " kept=" + kept.joinToString(",") { it.word }

/** The version of a sign-out, without a generation of 0. */
private val StoreVersion.epochWord: String get() = if (generation == 0L) "$epoch" else word

/** Sign-outs that were kept, such as `A1.3@-100`: the token (`cookie` for none), and the date in seconds from now. */
private fun kept(text: String?): List<KeptSignOut> = text?.split(',').orEmpty().map { word ->
    val (token, date) = word.substringBefore('@') to word.substringAfter('@', "0").toLong()
    KeptSignOut(token.takeIf { it[0] == 'A' }, token.takeIf { it[0] == 'T' }, since = present.wall + date)
}

private val KeptSignOut.word: String
    get() = (accessToken ?: refreshToken ?: "cookie") + (if (scope == SignOutScope.ALL) "/all" else "") +
        (if (since == present.wall) "" else "@${since - present.wall}")

private fun state(text: String): MachineState {
    val words = Words(text)
    val phase = when (words.name(0)) {
        "starting" -> Phase.Starting
        "unavailable" -> Phase.Unavailable(StoreTrouble.ProtectedData)
        "signedOut" -> Phase.SignedOut(words.version(1), reason(words.name(2)), words["stored"] != "no")
        "signedIn" -> session(words)
        else -> error("no state: $text")
    }
    val waiters = words["waiters"]?.split(',')?.map { Waiter(it.toInt(), refused = words["refused"]) } ?: emptyList()
    return MachineState(phase, waiters, words["background"] == "yes", kept(words["kept"]))
}

private fun session(words: Words): Phase.SignedIn {
    val tries = words["tries"]?.toInt() ?: 0
    val saved = when (words["saved"]) {
        "no" -> Saved.No
        "saving" -> Saved.Saving
        "first" -> Saved.First(
            words["callers"]?.split(',')?.map { it.toInt() } ?: listOf(9), words["replaces"]?.split(',').orEmpty(),
        )
        else -> Saved.Yes
    }
    val mode = when (words["mode"]) {
        "looking" -> Mode.Looking(tries)
        "flying" -> Mode.Flying(tries)
        "doubting" -> Mode.Doubting(verdict(words["verdict"] ?: "ended"), tries, 0.5)
        "waiting" ->
            Mode.Waiting(present.now + (words.seconds("until") ?: 2.seconds), fault(words["fault"] ?: "offline"), maxOf(1, tries))
        else -> Mode.Idle
    }
    val isResting = words["resting"] == "yes"
    val record = record(words.version(1)).let { if (isResting) it.copy(accessToken = null) else it }
    return Phase.SignedIn(
        record, present.now + (words.seconds("left") ?: 3600.seconds), saved, mode,
        words.seconds("rotated")?.let { present.now - it }, isResting, words["hurried"] == "yes",
        words["outdated"]?.toLong() ?: 0,
    )
}

private fun verdict(word: String): Verdict =
    if (word == "superseded") Verdict.Superseded else Verdict.Ended(reason(word) ?: SignOutReason.ENDED)

private val MachineState.word: String
    get() {
        val parts = when (val phase = phase) {
            Phase.Starting -> listOf("starting")
            is Phase.Unavailable -> listOf("unavailable")
            is Phase.SignedOut -> listOfNotNull(
                "signedOut", phase.version.epochWord, phase.reason?.let { words(it.name) }, if (phase.isStored) null else "stored=no",
            )
            is Phase.SignedIn -> phase.words
        }
        val waiting = if (waiters.isEmpty()) null else "waiters=" + waiters.joinToString(",") { "${it.caller}" }
        val made = if (kept.isEmpty()) null else "kept=" + kept.joinToString(",") { it.word }
        return (parts + listOfNotNull(made, waiting)).joinToString(" ")
    }

private val Phase.SignedIn.words: List<String>
    get() = listOfNotNull(
        "signedIn", record.version.word,
        when (saved) {
            Saved.No -> "saved=no"
            Saved.Saving -> "saved=saving"
            Saved.Yes -> null
            is Saved.First -> "saved=first"
        },
        first?.callers?.takeIf { it.size > 1 }?.let { "callers=" + it.joinToString(",") },
        first?.replaces?.takeIf { it.size > 1 }?.let { "replaces=" + it.joinToString(",") },
        when (val mode = mode) {
            Mode.Idle -> null
            is Mode.Looking -> "mode=looking"
            is Mode.Flying -> "mode=flying"
            is Mode.Doubting -> "mode=doubting"
            is Mode.Waiting -> "mode=waiting until=" +
                "${(mode.until - present.now).toLong(DurationUnit.SECONDS)} fault=${mode.fault.word}"
        },
        if (tries > 0) "tries=$tries" else null, if (outdated > 0) "outdated=$outdated" else null,
        if (outdated > 0 && isHurried) "hurried=yes" else null, if (isResting) "resting=yes" else null,
    )

private fun event(text: String): MachineEvent {
    val words = Words(text)
    return when (val name = words.name(0)) {
        "read" -> MachineEvent.Read(item(words, 1), present)
        "unreadable" -> MachineEvent.Unreadable(StoreTrouble.ProtectedData, present)
        "written" -> MachineEvent.Written(words.version(1), present)
        "found" -> MachineEvent.Found(item(words, 2), words.version(1), present)
        "unwritten" -> MachineEvent.Unwritten(words.version(1), StoreTrouble.Unwritable, present)
        "wanted" -> MachineEvent.Wanted(words.caller(1), words.seconds("validFor") ?: Duration.ZERO, present)
        "refusedByAPI" -> MachineEvent.RefusedByApi(words.caller(1), words.name(2), present)
        "cancelled" -> MachineEvent.Cancelled(words.caller(1))
        "signedIn" -> MachineEvent.SignedIn(
            words.caller(1), record(StoreVersion(0, 1)).copy(refreshToken = words.name(2).ifEmpty { "T0.1" }), present,
        )
        "signOutConfirmed" -> MachineEvent.SignOutConfirmed(kept(words.name(1)).first())
        "signOutAsked" -> MachineEvent.SignOutAsked(
            words.caller(1), if (words.name(2) == "all") SignOutScope.ALL else SignOutScope.THIS_SESSION, present,
        )
        "over" -> MachineEvent.Over(reason(words.name(1)) ?: SignOutReason.ASKED)
        "outdated" -> MachineEvent.Outdated
        "userChanged" -> MachineEvent.UserChanged(User(mapOf("id" to "usr_1", "name" to "Ann")))
        "rotated" -> MachineEvent.Rotated(
            words.version(1), Tokens("new access", "new refresh", words["life"]?.toLong() ?: 3600), present,
        )
        "failed" -> MachineEvent.Failed(words.version(1), fault(words.name(2)), 0.5, present)
        "refused" -> MachineEvent.Refused(words.version(1), verdict(words.name(2)), 0.5)
        "woke" -> MachineEvent.Woke(present)
        else -> {
            val change = Change.entries.firstOrNull { words(it.name) == name } ?: error("no event: $text")
            MachineEvent.Changed(change, 0.5, present)
        }
    }
}

private val MachineAction.word: String
    get() = when (this) {
        MachineAction.Read -> "read"
        is MachineAction.Write -> "write ${item.word}"
        is MachineAction.Renew -> "renew ${record.version.word}"
        is MachineAction.Reply -> when (val answer = answer) {
            is Answer.Given -> "give $caller ${answer.text}".trim()
            is Answer.Refused -> "refuse $caller ${answer.error.word}"
        }
        is MachineAction.Emit -> "emit " + when (val event = event) {
            is Event.SignedOut -> event.word
            else -> event.toString().substringBefore('(').replaceFirstChar { it.lowercase() }
        }
        is MachineAction.SignOutOnServer -> {
            val kept = kept
            if (kept != null && caller == null) "makeGood ${kept.word}"
            else "signOutOnServer ${signOut.refreshToken} ${words(signOut.scope.name)}" + (caller?.let { " $it" } ?: "")
        }
        is MachineAction.Wake -> "wake"
    }

/** The caller that has just begun to wait. */
private val MachineEvent.newCaller: Int?
    get() = when (this) {
        is MachineEvent.Wanted -> caller
        is MachineEvent.RefusedByApi -> caller
        is MachineEvent.SignedIn -> caller
        is MachineEvent.SignOutAsked -> caller
        else -> null
    }

/** Invariants that no row states: every caller gets a result, and no session is renewed before it is stored. */
private fun brokenInvariant(state: MachineState, event: MachineEvent): String? {
    val (next, actions) = Machine.step(state, event)
    val waiting = next.waiters.map { it.caller }.toSet()
    val answered = actions.filterIsInstance<MachineAction.Reply>().map { it.caller }
    val before = state.phase as? Phase.SignedIn
    val after = next.phase as? Phase.SignedIn
    return when {
        answered.toSet().size != answered.size -> "a caller is answered twice"
        waiting.intersect(answered.toSet()).isNotEmpty() -> "an answered caller waits"
        !(waiting + answered).containsAll(state.waiters.map { it.caller }) -> "a caller is forgotten"
        after != null && after.saved != Saved.Yes && actions.any { it is MachineAction.Renew } -> "unsaved, but renewed"
        before != null && after != null && after.record.version < before.record.version -> "a version falls"
        else -> null
    }
}

/** The features of Tests/Clients/README.md that the machine has: `since` and `before` of a row name one. */
val features = setOf<Any?>(
    "one proof", "kept sign-out", "inactive account", "prepared code", "invalid member", "silent store", "own requests", "reasons",
    "reads at 401", "browser", "take over", "passkeys", "told passkeys", "second factor",
)

/** Checks the rows in the files of a folder. */
object Rows {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val files = File(arguments[0]).listFiles { file -> file.extension == "json" }.orEmpty().sorted()
        val rows = files.flatMap { file ->
            (readJson("""{"rows":${file.readText()}}""")?.get("rows") as List<*>).map { Row(it as Map<*, *>) }
        }.filter { it.applies }
        val failures = rows.mapNotNull { it.failure } + invariants(rows)
        val kinds = rows.map { it.event.substringBefore(' ') }.toSet().size
        for (failure in failures) println("failed: $failure")
        println("${rows.size} rows of $kinds kinds of events, ${failures.size} failed")
        exitProcess(if (failures.isEmpty() && rows.size >= 150 && kinds == 22) 0 else 1)
    }

    private class Row(private val members: Map<*, *>) {
        val given = members["given"] as String
        val event = members["event"] as String
        val applies = members["since"].let { it == null || it in features } && members["before"] !in features

        val failure: String?
            get() {
                val (next, actions) = Machine.step(state(given), event(event))
                val found = actions.map { it.word } to next.word
                val wanted = members["then"] to members["state"]
                return if (found == wanted) null else "${members["name"]}: $found in place of $wanted"
            }
    }

    private fun invariants(rows: List<Row>): List<String> {
        val events = rows.map { it.event }.toSet()
        return rows.map { it.given }.toSet().flatMap { given ->
            val state = state(given)
            // A caller has one number, and asks once.
            events.filter { text -> state.waiters.none { it.caller == event(text).newCaller } }
                .mapNotNull { text -> brokenInvariant(state, event(text))?.let { "$given, $text: $it" } }
        }
    }
}
