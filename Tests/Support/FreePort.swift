import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Loopback ports without a listener.
package enum FreePort {
    /// None was free in this many tries.
    package struct NoneFree: Error {}

    private static let triesMax = 100
    private static let least = 10_000
    /// Where those of `deploy/run` begin (`PortBlock`): a stack that starts would take a port between its choice and its use.
    private static let leastOfStacks = 20_000
    /// Where the kernel's begin unless set otherwise.
    private static let usualLeastOfConnections = 32_768

    /// Ports that this process has given out.
    private static let given = Mutex<Set<Int>>([])
    /// A file in which each byte stands for a port: a process of tests locks those that it has given out, until it ends.
    private static let locks = unsafe open(
        FileManager.default.temporaryDirectory.path + "/latchkey-test-ports", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)

    /// Returns a port that was free a moment ago, and that no test on this machine has been given while its process runs.
    ///
    /// It lies below those that the kernel gives to connections: who asks such a port again and again whether its server is
    /// there yet may be given the very same one to ask from, is then connected with itself, and the server finds it taken.
    package static func find() async throws -> Int {
        for _ in 0..<triesMax {
            let port = Int.random(in: least..<min(try leastOfConnections(), leastOfStacks))
            if claim(port), try await freed(port) != nil { return port }
        }
        throw NoneFree()
    }

    /// Whether the port has not been given out before. If the file cannot be opened, other processes are not asked.
    private static func claim(_ port: Int) -> Bool {
        given.withLock { given in
            guard !given.contains(port) else { return false }
            var byte = flock()
            (byte.l_type, byte.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
            (byte.l_start, byte.l_len) = (off_t(port), 1)
            let isLocked = unsafe fcntl(locks, F_SETLK, &byte) == 0
            guard isLocked || locks < 0 else { return false }
            given.insert(port)
            return true
        }
    }

    private static func freed(_ port: Int) async throws -> Int? {
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: port).get()
        } catch {
            return nil
        }
        try await channel.close()
        return port
    }

    private static func leastOfConnections() throws -> Int {
        let range = try String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let first = range.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 0
        return first > 2 * least ? first : usualLeastOfConnections
    }
}
