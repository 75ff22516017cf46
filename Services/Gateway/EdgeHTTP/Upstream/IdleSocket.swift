import Glibc
import NIOCore
import NIOPosix

/// Looks what has come on a connection at rest, without waiting for the event loop to hear of it.
///
/// The kernel knows earlier than the loop that the upstream has closed it, so that a request which must not be sent twice
/// would be lost (security guide F-41), and that bytes lie there which the next request would take for its answer.
struct IdleSocket: Sendable {
    enum Finding: Sendable, Equatable {
        case quiet
        /// The other side has closed the connection, with an error or without.
        case ended
        /// The first bytes that have come.
        case bytes(ByteBuffer)
    }

    /// Enough to know a balancer's farewell.
    private static let lookedAtBytes = 1024

    /// Nil for channels without a socket, which exist in tests alone.
    private let socket: NIOBSDSocket.Handle?

    /// The socket of an open channel; asked once, since NIO takes longer to name it than the kernel to look.
    init(of channel: any Channel) {
        do {
            socket = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                $0
            }
        } catch {
            socket = nil
        }
    }

    /// Reads nothing: what is there stays. The channel must be active still, or the number may be another socket's.
    func look() -> Finding {
        guard let socket else { return .quiet }
        return unsafe withUnsafeTemporaryAllocation(byteCount: Self.lookedAtBytes, alignment: 1) { place in
            let count = unsafe recv(socket, place.baseAddress, place.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            if count > 0 { return unsafe .bytes(ByteBuffer(bytes: place.prefix(count))) }
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .quiet : .ended
        }
    }
}
