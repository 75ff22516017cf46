internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Looks whether an idle connection is still open, without waiting for the event loop to hear of it.
///
/// A request that must not be sent twice cannot be repeated when the upstream closed the connection a moment before; the
/// kernel knows of that earlier than the loop does (security guide F-41).
enum QuietSocket {
    /// Whether nothing has come on the channel's socket: no data, no end, no error.
    static func isQuiet(_ channel: any Channel) -> Bool {
        do {
            let isQuiet = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { socket in
                var byte: UInt8 = 0
                let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
                return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
            }
            // Channels without a socket exist in tests alone.
            return isQuiet ?? true
        } catch {
            return false
        }
    }
}
