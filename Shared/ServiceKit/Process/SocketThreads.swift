import FoundationEssentials
import NIOCore

/// How many threads of a process read and write its sockets.
package enum SocketThreads: Sendable {
    /// One thread. A request and its calls to Redis and to other services never change thread, and requests that arrive
    /// together are processed together. Databases and signatures have threads of their own, and replicas add capacity.
    case one
    /// One thread for each core that the process may use. This is for the gateway, which has no replica on the same port.
    case oneForEachCore

    /// Applies the number; must run before the first use of the process's event loops.
    func apply() {
        NIOSingletons.groupLoopCountSuggestion =
            switch self {
            case .one: 1
            // A container's share counts, and so does a restriction of the process to some cores: threads that take turns on
            // one core only cost switches between them.
            case .oneForEachCore: max(1, min(NIOCore.System.coreCount, Self.allowedCoreCount ?? .max))
            }
    }

    /// The number of cores in this process's affinity mask, proc(5); `nil` if it cannot be read.
    private static var allowedCoreCount: Int? {
        FileManager.default.contents(atPath: "/proc/self/status")
            .flatMap { coreCount(inStatus: String(decoding: $0, as: UTF8.self)) }
    }

    /// Counts the bits of the line `Cpus_allowed:`, which are hexadecimal digits in groups.
    static func coreCount(inStatus status: String) -> Int? {
        let name = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }
}
