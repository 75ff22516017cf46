import NIOCore
package import NIOPosix

/// Runs tasks on the threads that read and write the sockets, so that a request's handler needs no other thread.
///
/// A job that is enqueued on one of these threads stays there. Latchkey's tasks never block: files, databases and hashes have
/// threads of their own.
package final class EventLoopExecutor: TaskExecutor {
    /// The executor of the process. A task that an event loop's callback begins inherits no executor, so it has to state this
    /// one.
    package static let shared = EventLoopExecutor(group: .singleton)

    private let group: MultiThreadedEventLoopGroup

    /// Creates an executor on the threads of `group`, which must run for as long as tasks do.
    package init(group: MultiThreadedEventLoopGroup) { self.group = group }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        group.any().execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
