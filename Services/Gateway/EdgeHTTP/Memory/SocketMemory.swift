import Glibc
import NIOCore
import NIOPosix

/// What the kernel holds for a connection, and how it is made to hold less.
enum SocketMemory {
    /// Below this a queue is not worth counting.
    static let countedFrom = 4 * 1024
    /// socket(7), `SO_MEMINFO`: what `ss -tm` shows, with the kernel's own overhead, which for small segments is most of it.
    private static let infoOption: Int32 = 55
    private static let infoCount = 9
    private static let receivedIndex = 0
    private static let queuedIndex = 5

    /// Bytes of memory in both queues of the channel's socket; 0 when it cannot be told.
    static func queuedBytes(of channel: any Channel) -> Int {
        withSocket(of: channel) { socket in
            var info = [UInt32](repeating: 0, count: infoCount)
            var size = socklen_t(infoCount * MemoryLayout<UInt32>.size)
            guard unsafe getsockopt(socket, SOL_SOCKET, infoOption, &info, &size) == 0 else { return 0 }
            let sum = Int(info[receivedIndex]) + Int(info[queuedIndex])
            return sum >= countedFrom ? sum : 0
        } ?? 0
    }

    /// Bytes that were written and that the other side has not acknowledged (tcp(7), `SIOCOUTQ`); 0 when it cannot be told.
    static func unacknowledgedBytes(of channel: any Channel) -> Int {
        withSocket(of: channel) { socket in
            var count: CInt = 0
            guard unsafe ioctl(socket, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
            return Int(count)
        } ?? 0
    }

    /// Makes the end of the connection a reset, which frees what the client has not taken (socket(7), `SO_LINGER`).
    static func resetAtEnd(_ channel: any Channel) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = withSocket(of: channel) {
            unsafe setsockopt($0, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// Bounds what the client may send ahead (tcp(7), `TCP_WINDOW_CLAMP`).
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
            // Closed meanwhile: the kernel holds nothing for us.
            return nil
        }
    }
}
