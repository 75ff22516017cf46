internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Looks what has come on an idle connection, without waiting for the event loop to hear of it.
///
/// The kernel knows earlier than the loop that the upstream has closed it, so that a request which must not be sent twice
/// would be lost (security guide F-41), and that bytes lie there which the next request would take for its answer.
enum IdleSocket {
    enum Finding: Sendable, Equatable {
        case quiet
        /// The other side has closed the connection, with an error or without.
        case ended
        /// The first bytes that have come.
        case bytes(ByteBuffer)
    }

    /// Enough to know a balancer's farewell.
    private static let lookedAtBytes = 1024

    /// Reads nothing: what is there stays.
    static func look(_ channel: any Channel) -> Finding {
        do {
            let finding = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self, look)
            // Channels without a socket exist in tests alone.
            return finding ?? .quiet
        } catch {
            return .ended
        }
    }

    private static func look(_ socket: NIOBSDSocket.Handle) -> Finding {
        unsafe withUnsafeTemporaryAllocation(byteCount: lookedAtBytes, alignment: 1) { place in
            let count = unsafe recv(socket, place.baseAddress, place.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            if count > 0 { return unsafe .bytes(ByteBuffer(bytes: place.prefix(count))) }
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .quiet : .ended
        }
    }
}
