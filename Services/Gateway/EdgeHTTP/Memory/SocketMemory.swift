import Glibc
import NIOCore
import NIOPosix

/// The memory that the kernel holds for a connection, and the ways to reduce it.
enum SocketMemory {
    /// The bytes in a queue below which it is not counted.
    static let countedFrom = 4 * 1024
    /// socket(7), `SO_MEMINFO`: the numbers that `ss -tm` shows, with the kernel's own overhead, which for small segments is most
    /// of it.
    private static let infoOption: Int32 = 55
    private static let infoCount = 9
    private static let receivedIndex = 0
    private static let queuedIndex = 5

    /// Returns the bytes of memory in both queues of the channel's socket; 0 if unknown.
    static func queuedBytes(of channel: any Channel) -> Int {
        withSocket(of: channel) { socket in
            var info = [UInt32](repeating: 0, count: infoCount)
            var size = socklen_t(infoCount * MemoryLayout<UInt32>.size)
            guard unsafe getsockopt(socket, SOL_SOCKET, infoOption, &info, &size) == 0 else { return 0 }
            let sum = Int(info[receivedIndex]) + Int(info[queuedIndex])
            return sum >= countedFrom ? sum : 0
        } ?? 0
    }

    /// Returns the bytes that were written and that the other side has not acknowledged (tcp(7), `SIOCOUTQ`); 0 if unknown.
    static func unacknowledgedBytes(of channel: any Channel) -> Int {
        withSocket(of: channel) { socket in
            var count: CInt = 0
            guard unsafe ioctl(socket, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
            return Int(count)
        } ?? 0
    }

    /// Makes the connection close with a reset, which frees the bytes that the client has not accepted (socket(7), `SO_LINGER`).
    static func resetAtEnd(_ channel: any Channel) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = withSocket(of: channel) {
            unsafe setsockopt($0, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// Bounds the bytes that the client may send ahead (tcp(7), `TCP_WINDOW_CLAMP`).
    static func setWindow(_ bytes: Int32, of channel: any Channel) {
        var option = bytes
        _ = withSocket(of: channel) {
            unsafe setsockopt($0, Int32(IPPROTO_TCP), TCP_WINDOW_CLAMP, &option, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Runs `body` with the channel's socket; returns `nil` if it is closed.
    static func withSocket<Result>(of channel: any Channel, _ body: (Int32) -> Result) -> Result? {
        do {
            return try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self, body)
        } catch {
            // The channel was closed meanwhile, so the kernel holds nothing for us.
            return nil
        }
    }
}
