import Glibc
import NIOCore

/// Sizes of receive buffers (socket(7), `SO_RCVBUF`), in bytes as the kernel counts them: its own overhead is half of them.
enum ReceiveBufferSize {
    /// The size for a connection that waits among many to be served. Its client may send 8 KiB ahead, enough for most requests.
    static let small: CInt = 16 * 1024
    /// `SO_BUF_LOCK` (socket(7), since Linux 5.14): the buffers that the kernel does not resize.
    private static let lockOption: CInt = 72
    private static let noLock: CInt = 0
    private static let receiveLock: CInt = 2
    /// The bound of a window that may grow with its buffer again; the kernel raises it further.
    private static let windowBytes: CInt = 1 << 20

    /// The size with which sockets begin (tcp(7), `tcp_rmem`); `nil` if a buffer that was set would keep its size, or if the
    /// kernel's own is small already.
    static let usual: CInt? = {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = option(SO_RCVBUF, of: descriptor), option(lockOption, of: descriptor) != nil else {
            return nil
        }
        return bytes > small ? bytes : nil
    }()

    /// Gives a listener's next connections, and the windows that their clients are offered, this size to begin with.
    ///
    /// The size of an accepted socket could only be set when its client has been offered the usual window: its segments
    /// would be larger than the buffer, be dropped, and never fit the window that follows. The lock is released because it
    /// would fix the window scale of every connection.
    static func set(_ bytes: CInt, of listener: any Channel) {
        _ = SocketMemory.withSocket(of: listener) { set(bytes, of: $0) }
    }

    /// Returns the current size of a channel's buffer, or `nil` if it is closed.
    static func current(of channel: any Channel) -> CInt? {
        SocketMemory.withSocket(of: channel) { option(SO_RCVBUF, of: $0) } ?? nil
    }

    /// Keeps the kernel from enlarging the buffer of an accepted connection that began with a small one, until `widen`.
    ///
    /// Whenever the gateway has read a window within a round trip, the kernel makes room for twice as much and 16 segments, which
    /// over loopback are 1 MB. The window scale is not affected: the handshake has fixed it.
    static func lockIfSmall(_ channel: any Channel) {
        guard current(of: channel) == small else { return }
        _ = SocketMemory.withSocket(of: channel) { setLock(receiveLock, of: $0) }
    }

    /// Lets a connection that began with a small buffer take as much as one that began with the usual size.
    ///
    /// The bound of its window is raised too. Otherwise the window would stay as small as it began: the kernel raises that
    /// bound only when it enlarges the buffer itself.
    static func widen(_ channel: any Channel) {
        guard let usual, let current = current(of: channel), current < usual else { return }
        _ = SocketMemory.withSocket(of: channel) { set(usual, of: $0) }
        SocketMemory.setWindow(windowBytes, of: channel)
    }

    private static func set(_ bytes: CInt, of socket: CInt) {
        // The kernel doubles the size that it is given.
        var size = bytes / 2
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        setLock(noLock, of: socket)
    }

    private static func setLock(_ lock: CInt, of socket: CInt) {
        var lock = lock
        _ = unsafe setsockopt(socket, SOL_SOCKET, lockOption, &lock, socklen_t(MemoryLayout<CInt>.size))
    }

    private static func option(_ name: CInt, of socket: CInt) -> CInt? {
        var (value, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        return unsafe getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
