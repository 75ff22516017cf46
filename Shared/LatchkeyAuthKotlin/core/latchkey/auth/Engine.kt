package latchkey.auth

import java.io.InterruptedIOException
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.Channel as Queue
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import latchkey.auth.http.Api
import latchkey.auth.http.BaseUrl
import latchkey.auth.http.Renewal
import latchkey.auth.http.endOnServer
import latchkey.auth.http.renew
import latchkey.auth.machine.Answer
import latchkey.auth.machine.Machine
import latchkey.auth.machine.MachineAction
import latchkey.auth.machine.MachineEvent
import latchkey.auth.machine.MachineRules
import latchkey.auth.machine.MachineState
import latchkey.auth.machine.Moment
import latchkey.auth.machine.Phase
import latchkey.auth.record.SessionRecord
import latchkey.auth.support.Digests
import latchkey.auth.support.libraryThreads
import latchkey.auth.support.within

/**
 * The shell around the machine: feeds it with events, and performs its actions in their order.
 *
 * The lock is held for microseconds and never while anything of the app runs. All work runs on threads of the library, so
 * that an app whose own threads all wait for a token cannot hold up the renewal.
 */
internal class Engine(configuration: Configuration) {
    private val clock = configuration.clock
    private val early = configuration.early
    private val threads = libraryThreads()
    private val scope = CoroutineScope(SupervisorJob() + threads)

    /** Completes when the store has answered for the first time. */
    private val started = CompletableDeferred<Unit>()

    /** Delivers states, events and log lines to the app, one after the other. */
    private val outbox = threads.limitedParallelism(1)
    private val log: (LogLine) -> Unit = { line -> configuration.log?.let { log -> scope.launch(outbox) { log(line) } } }
    val api = Api(BaseUrl(configuration.baseUrl, configuration.allowsHttp), configuration.transport, clock, scope, log)
    val shown = ShownState()
    val store = StoreAccess(configuration.store, clock, scope, api.baseUrl.text)

    private val lock = Any()
    private var state = MachineState()
    private val callers = HashMap<Int, CompletableDeferred<Answer>>()
    private var lastCaller = 0
    private var receivers = emptyList<Queue<Event>>()

    /** Sign-outs that are on their way, by their dates. */
    private val sending = HashMap<Long, Job>()

    val session: Phase.SignedIn? get() = synchronized(lock) { state.phase as? Phase.SignedIn }

    /** Reads the store, at once or on the library's thread. */
    fun start(atOnce: Boolean) {
        if (atOnce) runBlocking { feed(store.read()) } else perform(MachineAction.Read)
    }

    /** Waits for the store, and for sign-outs that are on their way, which come before a sign-in. */
    suspend fun ready() {
        started.await()
        synchronized(lock) { sending.values.toList() }.joinAll()
    }

    /** Begins work that goes on when its caller does not. */
    fun <T> begin(work: suspend () -> T): Deferred<T> = scope.async { work() }

    /** Runs work of the app or the system, and stops waiting for it at a limit. */
    suspend fun <T> limited(limit: Duration, work: suspend () -> T): T = scope.within(clock, limit, work)

    /** The access token if it is usable, also if a newer one is wanted. */
    val usableToken: String? get() = session?.token(MachineRules.USABLE, clock.now)

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
            if (value != State.Starting && !started.isCompleted) scope.launch { started.complete(Unit) }
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
            MachineAction.Read -> store.begin { feed(store.read()) }
            is MachineAction.Write -> store.begin { feed(store.write(action.item)) }
            is MachineAction.Renew -> scope.launch { renew(action.record) }
            is MachineAction.Reply -> reply(action.caller, action.answer)
            is MachineAction.Emit -> emit(action.event)
            is MachineAction.SignOutOnServer -> beginSignOut(action)
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

    /** Tells the readers of events about one that the machine does not know. */
    fun report(event: Event): Unit = synchronized(lock) { emit(event) }

    private fun emit(event: Event) {
        if (event is Event.StoreFailed) log(LogLine.StoreFailed(event.trouble))
        val receivers = receivers
        scope.launch(outbox) { for (receiver in receivers) receiver.trySend(event) }
    }

    private suspend fun renew(record: SessionRecord) {
        val outcome = api.renew(record.refreshToken, record.renewalKey)
        val jitter = Digests.jitter()
        feed { moment ->
            when (outcome) {
                is Renewal.Rotated -> MachineEvent.Rotated(record.version, outcome.tokens, moment)
                is Renewal.Refused -> MachineEvent.Refused(record.version, outcome.verdict, jitter)
                is Renewal.Failed -> MachineEvent.Failed(record.version, outcome.error, jitter, moment)
            }
        }
    }

    private fun beginSignOut(action: MachineAction.SignOutOnServer) {
        val date = action.kept?.since
        if (date != null && action.caller == null && date in sending) return
        val job = scope.launch { signOutOnServer(action) }
        if (date != null) sending[date] = job
    }

    private suspend fun signOutOnServer(action: MachineAction.SignOutOnServer) {
        val isConfirmed = api.endOnServer(action.signOut)
        val kept = action.kept ?: return
        synchronized(lock) { sending.remove(kept.since) }
        if (isConfirmed) feed { MachineEvent.SignOutConfirmed(kept) }
        if (!isConfirmed && action.caller == null) return
        synchronized(lock) {
            emit(Event.SignedOutOnServer(isConfirmed))
            action.caller?.let { reply(it, Answer.Given(if (isConfirmed) Answer.Given.CONFIRMED else "")) }
        }
    }

    /** Signs out, and waits until that is stored and confirmed, for 10 seconds at most. */
    suspend fun signOut(scope: SignOutScope): SignOutResult {
        started.await()
        var isConfirmed = false
        try {
            isConfirmed = ask { caller, moment -> MachineEvent.SignOutAsked(caller, scope, moment) } == Answer.Given.CONFIRMED
            this.scope.within(clock, StoreAccess.LIMIT) { store.idle() }
        } catch (_: AuthException) {
            // The store does not answer, or this object was closed.
        }
        // A sign-in that came since has taken its place.
        val isStored = synchronized(lock) { state.phase.let { it is Phase.SignedIn || it is Phase.SignedOut && it.isStored } }
        return SignOutResult(isStored, isConfirmed)
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

    /** Calls a function for every event from now on. */
    fun collect(body: (Event) -> Unit): Job = scope.launch(start = CoroutineStart.UNDISPATCHED) { events.collect { body(it) } }

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
}
