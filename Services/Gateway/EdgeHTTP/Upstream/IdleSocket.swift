import Glibc
import NIOCore
import NIOPosix

/// Reads the state of a connection at rest without waiting for the event loop.
///
/// The kernel knows earlier than the loop that the upstream has closed the connection, in which case a request that must not be
/// sent twice would be lost (security guide F-41). It also knows earlier of bytes that the next request would take for its
/// response.
struct IdleSocket: Sendable {
    enum Finding: Sendable, Equatable {
        case quiet
        /// The other side has closed the connection, with or without an error.
        case ended
        /// The first bytes that have arrived.
        case bytes(ByteBuffer)
    }

    /// The number of bytes read, enough to recognise a balancer's goodbye message.
    private static let lookedAtBytes = 1024

    /// The socket; `nil` for channels without one, which exist only in tests.
    private let socket: NIOBSDSocket.Handle?

    /// Finds the socket of an open channel. It is read once, since NIO takes longer to return it than the kernel to look.
    init(of channel: any Channel) {
        do {
            socket = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                $0
            }
        } catch {
            socket = nil
        }
    }

    /// Looks without reading, so that the bytes stay. The channel must still be active, since otherwise the number may be another
    /// socket's.
    func look() -> Finding {
        guard let socket else { return .quiet }
        return unsafe withUnsafeTemporaryAllocation(byteCount: Self.lookedAtBytes, alignment: 1) { place in
            let count = unsafe recv(socket, place.baseAddress, place.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            if count > 0 { return unsafe .bytes(ByteBuffer(bytes: place.prefix(count))) }
            return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .quiet : .ended
        }
    }
}
