// What the documents use of androidx.lifecycle.
package androidx.lifecycle

import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.runBlocking

open class ViewModel {
    private val job = SupervisorJob()

    /** The uncaught error of a coroutine, which ends an app. */
    @Volatile
    var crash: Throwable? = null

    val viewModelScope = CoroutineScope(Dispatchers.IO + job + CoroutineExceptionHandler { _, error -> crash = error })

    /** Waits for all that was launched. */
    fun join() = runBlocking { for (child: Job in job.children) child.join() }
}

class MutableLiveData<T> {
    @Volatile
    var value: T? = null
}
