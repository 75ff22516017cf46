package latchkey.auth.support

import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher

/** Threads of the library, which end after ten idle seconds and keep no process alive. */
internal fun libraryThreads(): ExecutorCoroutineDispatcher =
    ThreadPoolExecutor(0, Int.MAX_VALUE, 10, TimeUnit.SECONDS, SynchronousQueue()) { work ->
        Thread(work, "latchkey").apply { isDaemon = true }
    }.asCoroutineDispatcher()
