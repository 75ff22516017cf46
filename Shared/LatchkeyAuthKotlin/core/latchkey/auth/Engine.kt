package latchkey.auth

import java.io.InterruptedIOException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.Channel as Queue
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import latchkey.auth.http.Api
import latchkey.auth.http.BaseUrl
import latchkey.auth.http.Renewal
import latchkey.auth.http.renew
import latchkey.auth.http.signOut
import latchkey.auth.machine.Answer
import latchkey.auth.machine.Machine
import latchkey.auth.machine.MachineAction
import latchkey.auth.machine.MachineEvent
import latchkey.auth.machine.MachineState
import latchkey.auth.machine.Moment
import latchkey.auth.machine.Phase
import latchkey.auth.record.SessionRecord
import latchkey.auth.record.StoredItem
import latchkey.auth.support.Digests

/**
 * The shell around the machine: feeds it with events, and performs its actions in their order.
 *
 * The lock is held for microseconds and never while anything of the app runs. All work runs on threads of the library, so
 * that an app whose own threads all wait for a token cannot hold up the renewal.
 */
internal class Engine(configuration: Configuration) {
    private val store = configuration.store
    private val clock = configuration.clock
    private val early = configuration.early
    private val threads = libraryThreads()
    private val scope = CoroutineScope(SupervisorJob() + threads)

    /** Reads and writes the store, one after the other. */
    private val storeQueue = threads.limitedParallelism(1)

    /** Delivers states, events and log lines to the app, one after the other. */
    private val outbox = threads.limitedParallelism(1)
    private val log: (LogLine) -> Unit = { line -> configuration.log?.let { log -> scope.launch(outbox) { log(line) } } }
    val api = Api(BaseUrl(configuration.baseUrl, configuration.allowsHttp), configuration.transport, clock, scope, log)
    val shown = ShownState()

    private val lock = Any()
    private var state = MachineState()
    private val callers = HashMap<Int, CompletableDeferred<Answer>>()
    private var lastCaller = 0
    private var receivers = emptyList<Queue<Event>>()

    val user: User? get() = synchronized(lock) { (state.phase as? Phase.SignedIn)?.record?.user }

    /** Reads the store, at once or on the library's thread. */
    fun start(atOnce: Boolean) = if (atOnce) feed(loaded()) else perform(MachineAction.Read)

    /** Returns the access token if it is fresh, without any waiting. */
    fun freshToken(validFor: Duration): String? {
        val now = clock.now
        return synchronized(lock) { Machine.freshToken(state, validFor, now, early) }
    }

    // Events

    /** Feeds an event, and returns the answer that the machine gives to it, now or later. */
    suspend fun ask(event: (caller: Int, Moment) -> MachineEvent): String {
        val (caller, answer) = newCaller()
        feed { event(caller, it) }
        return try {
            given(answer.await())
        } catch (cancelled: CancellationException) {
            feed { MachineEvent.Cancelled(caller) }
            throw cancelled
        }
    }

    /** Feeds an event like [ask], for a thread. The answer needs no thread of a shared pool. */
    fun askBlocking(event: (caller: Int, Moment) -> MachineEvent): String {
        val (caller, answer) = newCaller()
        val isThere = CountDownLatch(1)
        answer.invokeOnCompletion { isThere.countDown() }
        feed { event(caller, it) }
        try {
            isThere.await()
        } catch (interrupted: InterruptedException) {
            feed { MachineEvent.Cancelled(caller) }
            Thread.currentThread().interrupt()
            throw InterruptedIOException("interrupted while waiting for a token").initCause(interrupted)
        }
        return given(@Suppress("OPT_IN_USAGE") answer.getCompleted())
    }

    fun feed(event: (Moment) -> MachineEvent) {
        val happened = event(Moment(clock.now, clock.wallSeconds))
        synchronized(lock) {
            val (next, actions) = Machine.step(state, happened, early)
            state = next
            val value = stateOf(next.phase)
            if (shown.set(value)) scope.launch(outbox) { shown.deliver(value) }
            for (action in actions) perform(action)
        }
    }

    private fun newCaller(): Pair<Int, CompletableDeferred<Answer>> = synchronized(lock) {
        val answer = CompletableDeferred<Answer>()
        callers[++lastCaller] = answer
        lastCaller to answer
    }

    private fun given(answer: Answer): String = when (answer) {
        is Answer.Given -> answer.text
        is Answer.Refused -> throw AuthException(answer.error)
    }

    // Actions

    /** Begins an action. What it leads to comes back as another event; nothing here waits, and nothing of the app runs. */
    private fun perform(action: MachineAction) {
        when (action) {
            MachineAction.Read -> scope.launch(storeQueue) { feed(loaded()) }
            is MachineAction.Write -> scope.launch(storeQueue) { feed(kept(action.item)) }
            is MachineAction.Renew -> scope.launch { renew(action.record) }
            is MachineAction.Reply -> reply(action.caller, action.answer)
            is MachineAction.Emit -> emit(action.event)
            is MachineAction.SignOutOnServer -> scope.launch { signOutOnServer(action) }
            is MachineAction.Wake -> scope.launch {
                clock.sleepUntil(clock.now + action.after)
                feed { MachineEvent.Woke(it) }
            }
        }
    }

    /** Answers a caller. It goes on elsewhere: a coroutine that is not dispatched would run here. */
    private fun reply(caller: Int, answer: Answer) {
        val waiting = callers.remove(caller) ?: return
        scope.launch { waiting.complete(answer) }
    }

    private fun emit(event: Event) {
        if (event is Event.StoreFailed) log(LogLine.StoreFailed(event.trouble))
        val receivers = receivers
        scope.launch(outbox) { for (receiver in receivers) receiver.trySend(event) }
    }

    private fun loaded(): (Moment) -> MachineEvent = stored({ moment, trouble -> MachineEvent.Unreadable(trouble, moment) }) {
        val item = StoredItem.of(store.load(), api.baseUrl.text)
        return@stored { MachineEvent.Read(item, it) }
    }

    private fun kept(item: StoredItem): (Moment) -> MachineEvent =
        stored({ moment, trouble -> MachineEvent.Unwritten(item.version, trouble, moment) }) {
            val stored = store.keepNewer(item.encoded(), item.version)
            if (stored == null) return@stored { MachineEvent.Written(item.version, it) }
            val found = StoredItem.of(stored, api.baseUrl.text)
            return@stored { MachineEvent.Found(found, item.version, it) }
        }

    /** Uses the store. Its failures become events, and so do mistakes of a store that an app has written. */
    private fun stored(
        failed: (Moment, StoreTrouble) -> MachineEvent, use: () -> (Moment) -> MachineEvent,
    ): (Moment) -> MachineEvent = try {
        use()
    } catch (failure: StoreFailure) {
        { failed(it, failure.trouble) }
    } catch (_: RuntimeException) {
        { failed(it, StoreTrouble.Unreadable) }
    }

    private suspend fun renew(record: SessionRecord) {
        val outcome = api.renew(record)
        val jitter = Digests.jitter()
        feed { moment ->
            when (outcome) {
                is Renewal.Rotated -> MachineEvent.Rotated(record.version, outcome.tokens, moment)
                is Renewal.Refused -> MachineEvent.Refused(record.version, outcome.verdict, jitter)
                is Renewal.Failed -> MachineEvent.Failed(record.version, outcome.error, jitter, moment)
            }
        }
    }

    private suspend fun signOutOnServer(action: MachineAction.SignOutOnServer) {
        val isConfirmed = api.signOut(action.refreshToken, action.scope)
        val caller = action.caller ?: return
        synchronized(lock) {
            emit(Event.SignedOutOnServer(isConfirmed))
            reply(caller, Answer.Given(""))
        }
    }

    // What the app sees

    /** The events from the time of a collection on. A collector that is 64 events behind loses the oldest. */
    val events: Flow<Event> = flow {
        val receiver = Queue<Event>(64, BufferOverflow.DROP_OLDEST)
        synchronized(lock) { receivers = receivers + receiver }
        try {
            for (event in receiver) emit(event)
        } finally {
            synchronized(lock) { receivers = receivers - receiver }
        }
    }

    /** Follows the surroundings. */
    fun follow(changes: Flow<Change>) {
        scope.launch {
            changes.collect { change -> feed { MachineEvent.Changed(change, Digests.jitter(), it) } }
        }
    }

    /** Ends all work. Callers that wait are cancelled. */
    fun close() {
        scope.cancel()
        val waiting = synchronized(lock) { callers.values.toList() }
        for (caller in waiting) caller.complete(Answer.Refused(AuthError.Cancelled))
        for (receiver in synchronized(lock) { receivers }) receiver.close()
    }

    private companion object {
        /** Threads of the library, which end after ten idle seconds and keep no process alive. */
        fun libraryThreads() = ThreadPoolExecutor(0, Int.MAX_VALUE, 10, TimeUnit.SECONDS, SynchronousQueue()) { work ->
            Thread(work, "latchkey").apply { isDaemon = true }
        }.asCoroutineDispatcher()
    }
}
