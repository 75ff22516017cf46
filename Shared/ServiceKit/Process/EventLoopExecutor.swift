internal import NIOCore
internal import NIOPosix

/// Runs tasks on the threads that read and write the sockets, so that a request's handler needs no other thread.
///
/// A job that is enqueued on one of these threads stays there. Nothing in our tasks blocks: files, databases and hashes
/// have threads of their own.
final class EventLoopExecutor: TaskExecutor {
    private let group: MultiThreadedEventLoopGroup

    init(group: MultiThreadedEventLoopGroup) { self.group = group }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        group.any().execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
