package latchkey.auth

import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel as Queue
import kotlinx.coroutines.launch
import latchkey.auth.machine.MachineEvent
import latchkey.auth.machine.Moment
import latchkey.auth.record.StoredItem
import latchkey.auth.support.within

/** Reads and writes the store, one after the other. Whatever comes of it is an event of the machine. */
internal class StoreAccess(
    private val store: SessionStore, private val clock: DeviceClock, private val scope: CoroutineScope, private val origin: String,
) {
    private val queue = Queue<suspend () -> Unit>(Queue.UNLIMITED)

    init {
        scope.launch { for (work in queue) work() }
    }

    /** Does something after everything that was begun before. */
    fun begin(work: suspend () -> Unit) {
        queue.trySend(work)
    }

    /** Waits until everything is done that was begun before. */
    suspend fun idle() {
        val idle = CompletableDeferred<Unit>()
        queue.trySend { idle.complete(Unit) }
        idle.await()
    }

        /** Reads the item. */
    suspend fun read(): (Moment) -> MachineEvent =
        stored(StoreTrouble.Unreadable, { moment, trouble -> MachineEvent.Unreadable(trouble, moment) }) {
            val item = StoredItem.of(store.load(), origin)
            return@stored { MachineEvent.Read(item, it) }
        }

    /** Writes an item. */
    suspend fun write(item: StoredItem): (Moment) -> MachineEvent =
        stored(StoreTrouble.Unwritable, { moment, trouble -> MachineEvent.Unwritten(item.version, trouble, moment) }) {
            val stored = store.keepNewer(item.encoded(), item.version)
            if (stored == null) return@stored { MachineEvent.Written(item.version, it) }
            val found = StoredItem.of(stored, origin)
            return@stored { MachineEvent.Found(found, item.version, it) }
        }

    /** Uses the store. Its failures become events, and so do its silence and the mistakes of a store that an app has written. */
    private suspend fun stored(
        trouble: StoreTrouble, failed: (Moment, StoreTrouble) -> MachineEvent, use: () -> (Moment) -> MachineEvent,
    ): (Moment) -> MachineEvent = try {
        scope.within(clock, LIMIT) { use() }
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (failure: IOException) {
        { failed(it, (failure as? StoreFailure)?.trouble ?: trouble) }
    } catch (_: RuntimeException) {
        { failed(it, trouble) }
    }

    internal companion object {
        /** The time after which a store that does not answer has failed. */
        val LIMIT: Duration = 10.seconds
    }
}
