import Glibc
import NIOCore
import NIOPosix

/// Reads the state of a socket's queue.
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
    static func waitingCount(_ listener: any Channel) -> Int { Int(info(of: listener)?.tcpi_unacked ?? 0) }

    /// Returns the milliseconds since the last bytes of the client, or its connection, arrived (tcp(7), `TCP_INFO`); 0 if unknown.
    static func silentMilliseconds(_ connection: any Channel) -> Int64 {
        Int64(info(of: connection)?.tcpi_last_data_recv ?? 0)
    }

    private static func info(of channel: any Channel) -> tcp_info? {
        SocketMemory.withSocket(of: channel) { socket in
            var (info, size) = (tcp_info(), socklen_t(MemoryLayout<tcp_info>.size))
            let isKnown = unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0
            return isKnown ? info : nil
        } ?? nil
    }
}
