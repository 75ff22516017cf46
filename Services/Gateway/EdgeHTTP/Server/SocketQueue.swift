import Glibc
import NIOCore
import NIOPosix

/// Looks into the queue of a listening socket.
enum SocketQueue {
    /// Whether a connection waits to be accepted; true when it cannot be told.
    static func hasWaiting(_ listener: any Channel) -> Bool {
        do {
            let hasWaiting = try listener.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { socket in
                var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                return unsafe poll(&descriptor, 1, 0) > 0
            }
            return hasWaiting ?? true
        } catch {
            return true
        }
    }
}
