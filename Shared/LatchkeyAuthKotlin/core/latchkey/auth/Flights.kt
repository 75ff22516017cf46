package latchkey.auth

import kotlinx.coroutines.Deferred

/** Makes calls of the same name that overlap one call. It goes on as long as one of its callers waits. */
internal class Flights<T>(private val engine: Engine) {
    private class Flight<T>(val result: Deferred<T>) {
        var callers = 0
    }

    private val underWay = HashMap<String, Flight<T>>()

    /** Runs work, unless a call of this name is under way, whose result it then returns. */
    suspend fun run(name: String, work: suspend () -> T): T {
        val flight = synchronized(underWay) {
            underWay.getOrPut(name) { Flight(engine.begin(work)) }.also { it.callers++ }
        }
        try {
            return flight.result.await()
        } finally {
            synchronized(underWay) {
                if (--flight.callers == 0) {
                    underWay.remove(name)
                    flight.result.cancel()
                }
            }
        }
    }
}
