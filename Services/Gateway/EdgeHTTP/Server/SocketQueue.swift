import Glibc
import NIOCore
import NIOPosix

/// Reads the state of a listening socket's queue.
enum SocketQueue {
    /// Whether a connection waits to be accepted; `true` if unknown.
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

    /// Returns how many connections wait to be accepted (tcp(7), `TCP_INFO`); 0 if unknown.
    static func waitingCount(_ listener: any Channel) -> Int {
        SocketMemory.withSocket(of: listener) { socket in
            var (info, size) = (tcp_info(), socklen_t(MemoryLayout<tcp_info>.size))
            guard unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else { return 0 }
            return Int(info.tcpi_unacked)
        } ?? 0
    }
}
