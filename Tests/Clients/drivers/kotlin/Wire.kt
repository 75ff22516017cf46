package latchkey.driver

import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.update
import latchkey.auth.*
import latchkey.auth.support.Json

fun readJson(line: String): Map<String, Any?>? = Json.members(line.encodeToByteArray())

/** The standard output, one line at a time, and the questions that wait for an answer. */
class Wire {
    private val last = AtomicInteger()
    private val replies = ConcurrentHashMap<Int, CompletableFuture<Call>>()

    /** Whether the runner has answered all questions. */
    val hasAnswers: Boolean get() = replies.isEmpty()

    @Synchronized
    fun tell(members: Map<String, Any?>) {
        System.out.write(Json.encode(members) + '\n'.code.toByte())
        System.out.flush()
    }

    /** Asks the runner, which has the store, and waits for its answer. */
    fun ask(members: Map<String, Any?>): Call {
        val id = last.incrementAndGet()
        val reply = CompletableFuture<Call>()
        replies[id] = reply
        tell(members + ("ask" to id.toLong()))
        return reply.get()
    }

    fun answered(id: Int, message: Call) {
        replies.remove(id)?.complete(message)
    }
}

/** The runner's store: one item, which several processes share. */
class RunnerStore(private val wire: Wire) : SessionStore {
    override fun load(): ByteArray? = item(wire.ask(mapOf("what" to "load")))

    override fun keepNewer(data: ByteArray, version: StoreVersion): ByteArray? = item(
        wire.ask(
            mapOf(
                "what" to "keep", "item" to data.decodeToString(), "epoch" to version.epoch,
                "generation" to version.generation,
            ),
        ),
    )

    private fun item(message: Call): ByteArray? = when (message["trouble"]) {
        null -> message["item"]?.encodeToByteArray()
        "unwritable" -> throw StoreFailure(StoreTrouble.Unwritable)
        "denied" -> throw StoreFailure(StoreTrouble.Denied(13))
        else -> throw StoreFailure(StoreTrouble.ProtectedData)
    }
}

/** A clock that stands still until the runner moves it. */
class DriverClock : DeviceClock {
    private val times = MutableStateFlow(1000.seconds to 1_800_000_000L)
    private val sleepers = MutableStateFlow(0)

    override val now: Duration get() = times.value.first
    override val wallSeconds: Long get() = times.value.second

    fun set(now: Double?, wall: Double?) {
        if (now != null && wall != null) times.value = now.seconds to wall.toLong()
    }

    override suspend fun sleepUntil(time: Duration) {
        if (time <= now) return
        sleepers.update { it + 1 }
        try {
            times.first { it.first >= time }
        } finally {
            sleepers.update { it - 1 }
        }
    }

    /** Waits until something sleeps, so that the runner can move the clock past it. */
    suspend fun waitForSleeper() {
        sleepers.first { it > 0 }
    }
}

// The words of the scenarios

private val SignOutReason.text: String get() = words(name)

/** `STORAGE_LOST` as `storageLost`. */
fun words(name: String): String = name.lowercase().split('_').reduce { all, next -> all + next.replaceFirstChar { it.uppercase() } }

val Event.word: String
    get() = when (this) {
        Event.Restored -> "restored"
        is Event.SignedIn -> if (isNewUser) "signedIn:new" else "signedIn"
        Event.Renewed -> "renewed"
        is Event.RenewalDeferred -> "deferred:${error.word}"
        is Event.UserChanged -> "userChanged"
        is Event.SignedOut -> "signedOut:${reason.text}"
        is Event.NewDevice -> "newDevice"
        is Event.SignedOutOnServer -> if (isConfirmed) "server:confirmed" else "server:unconfirmed"
        is Event.StoreFailed -> "storeFailed"
    }

val AuthError.word: String
    get() = when (this) {
        is AuthError.SignedOut -> "signedOut" + (reason?.let { ":${it.text}" } ?: "")
        is AuthError.Invalid -> "invalid:$field:$code"
        is AuthError.Refused -> "refused:$status:$code"
        is AuthError.IdentityInUse -> "identityInUse" + (mergeToken?.let { ":mergeable" } ?: "")
        is AuthError.DeletionScheduled -> "deletionScheduled" + (restoreToken?.let { ":restorable" } ?: "")
        is AuthError.PhoneChangePending -> "phoneChangePending" + (movesAt?.let { ":${it.time / 1000}" } ?: "")
        is AuthError.SecondIdentityRequired -> "secondIdentityRequired:" + methods.joinToString("+")
        is AuthError.SecondFactorRequired -> "secondFactorRequired:" + methods.joinToString("+")
        is AuthError.MergeProofRequired -> "mergeProofRequired:" + methods.joinToString("+")
        is AuthError.CodeRefused -> "codeRefused" + (reason?.let { ":${words(it.name)}" } ?: "")
        is AuthError.RateLimited -> "rateLimited" + (limit?.let { ":${words(it.name)}" } ?: "")
        else -> toString().substringBefore('(').replaceFirstChar { it.lowercase() }
    }

val SignIn.word: String
    get() = "signedIn" + (if (isNewUser) ":new" else "") + if (wasRestored) ":restored" else ""

val State.word: String
    get() = when (this) {
        State.Starting -> "starting"
        is State.Unavailable -> "unavailable"
        is State.SignedOut -> "signedOut" + (reason?.let { ":${it.text}" } ?: "")
        is State.SignedIn -> when (val freshness = session.freshness) {
            Freshness.Fresh -> "signedIn:fresh"
            Freshness.Renewing -> "signedIn:renewing"
            is Freshness.Overdue -> "signedIn:overdue:${freshness.error.word}"
        }
    }
