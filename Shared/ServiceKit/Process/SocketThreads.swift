import FoundationEssentials
import NIOCore

/// How many threads of a process read and write its sockets.
package enum SocketThreads: Sendable {
    /// One: a request, its calls to Redis and to other services never change thread, and what arrives together is worked
    /// off together. Databases and signatures have threads of their own; more of such a process are more replicas.
    case one
    /// One for each core that the process may run on: the edge, which has no replica beside it on its port.
    case oneForEachCore

    /// Must come before the first use of the process's event loops.
    func apply() {
        NIOSingletons.groupLoopCountSuggestion =
            switch self {
            case .one: 1
            // A container's share counts, and so does a process that is held to some cores: threads that take turns on one
            // core only cost changes between them.
            case .oneForEachCore: max(1, min(NIOCore.System.coreCount, Self.allowedCoreCount ?? .max))
            }
    }

    /// The cores of this process's affinity mask, proc(5); nil when it cannot be read.
    private static var allowedCoreCount: Int? {
        FileManager.default.contents(atPath: "/proc/self/status")
            .flatMap { coreCount(inStatus: String(decoding: $0, as: UTF8.self)) }
    }

    /// The bits of the line `Cpus_allowed:`, hexadecimal digits in groups.
    static func coreCount(inStatus status: String) -> Int? {
        let name = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }
}
