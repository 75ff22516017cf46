import FoundationEssentials

/// The memory that the process may use, and the source of this limit.
package struct MemoryLimit: Sendable, Equatable {
    package enum Source: String, Sendable {
        case setting = "LATCHKEY_MEMORY_MB"
        /// `memory.max` of the process's control group or of one above it (version 2).
        case controlGroup = "memory.max"
        /// `memory.limit_in_bytes` (version 1).
        case oldControlGroup = "memory.limit_in_bytes"
        case fallback = "default"
    }

    /// The limit if neither the setting nor a control group states one.
    package static let fallback = MemoryLimit(bytes: 256 << 20, source: .fallback)
    /// The least value that means no limit; version 1 states one near 2⁶³ for that.
    private static let unlimitedFrom = 1 << 60

    package let bytes: Int
    package let source: Source

    package var megabytes: Int { bytes >> 20 }

    /// Finds the limit.
    ///
    /// - Parameters:
    ///   - setting: The value of `LATCHKEY_MEMORY_MB`.
    ///   - read: Returns the text of a file, or `nil` if it does not exist.
    /// - Throws: `SettingsError` if the setting is not an allowed number of megabytes.
    package static func find(
        setting: String?, read: (String) -> String? = { read(file: $0) }
    ) throws -> MemoryLimit {
        if let setting {
            try SettingsError.require(setting, for: Source.setting.rawValue)
            return MemoryLimit(bytes: (Int(setting) ?? 0) << 20, source: .setting)
        }
        let groups = (read("/proc/self/cgroup") ?? "").split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }
        let new = groups.first { $0.count == 3 && $0[0] == "0" && $0[1].isEmpty }.flatMap { group in
            least(of: "memory.max", under: "/sys/fs/cgroup", path: group[2], read)
        }
        if let new { return MemoryLimit(bytes: new, source: .controlGroup) }
        let old = groups.first { $0.count == 3 && $0[1].split(separator: ",").contains("memory") }.flatMap { group in
            least(of: "memory.limit_in_bytes", under: "/sys/fs/cgroup/memory", path: group[2], read)
        }
        return old.map { MemoryLimit(bytes: $0, source: .oldControlGroup) } ?? fallback
    }

    /// Returns the least limit of a group and those above it. In a container the path may be the host's, and only its root is
    /// visible.
    private static func least(
        of file: String, under root: String, path: Substring, _ read: (String) -> String?
    ) -> Int? {
        let parts = path.split(separator: "/").prefix(64)
        return (0...parts.count).compactMap { count -> Int? in
            let folder = ([root] + parts.prefix(count).map(String.init)).joined(separator: "/")
            let text = read("\(folder)/\(file)")?.prefix { $0 != "\n" }
            return text.flatMap { Int($0) }.flatMap { $0 > 0 && $0 < unlimitedFrom ? $0 : nil }
        }.min()
    }

    private static func read(file: String) -> String? {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
    }
}
