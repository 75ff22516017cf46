import CCurl
import Curl
import NIOPosix
import Synchronization

/// Performs requests to one server, on threads of its own.
final class CurlSession: Sendable {
    private let library: CurlLibrary
    private let limits: TransferPace.Limits
    private let configure: @Sendable (CurlOptions) -> Void
    private let idle = Mutex<[Connection]>([])

    /// Loaded once, since two threads must not do it.
    private static let library = Result { () throws(CurlLibrary.Missing) in try CurlLibrary() }

    /// - Parameter configure: Sets the options that all requests have.
    init(
        limits: TransferPace.Limits, _ configure: @escaping @Sendable (CurlOptions) -> Void
    ) throws(CurlLibrary.Missing) {
        library = try Self.library.get()
        self.limits = limits
        self.configure = configure
    }

    /// Performs a request. If the task is cancelled, the transfer ends within a second.
    func perform(_ request: CurlRequest) async throws(CopyTargetFailure) -> CurlOutcome {
        guard let connection = take() else { throw CopyTargetFailure(.unexpected, "libcurl has no memory") }
        let watch = connection.inner.watch
        let outcome = await withTaskCancellationHandler { () -> CurlOutcome? in
            do {
                return try await TargetThreads.pool.runIfActive { [configure] in
                    connection.inner.perform(request, configure)
                }
            } catch {
                // The task was cancelled before a thread was free.
                return nil
            }
        } onCancel: {
            watch.cancel()
        }
        // A connection that broke may be in any state.
        if outcome?.result == CURLE_OK, !watch.isCancelled { idle.withLock { $0.append(connection) } }
        guard let outcome else { throw CopyTargetFailure(.unreachable, "the transfer was cancelled") }
        return outcome
    }

    private func take() -> Connection? {
        idle.withLock { $0.popLast() } ?? CurlConnection(library, limits: limits).map { Connection(inner: $0) }
    }

    /// A connection is used only by the request that removed it from the list.
    private struct Connection: @unchecked Sendable {
        let inner: CurlConnection
    }
}

/// The threads on which targets wait for disks and servers.
enum TargetThreads {
    private static let count = 4

    static let pool = {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }()
}
