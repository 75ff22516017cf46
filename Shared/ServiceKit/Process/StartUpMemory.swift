import FoundationEssentials
import Glibc
import ServiceLifecycle

/// Gives back, once, the pages of program code that only the start of the process needed.
///
/// Loading libraries, reading settings and building the services touch most of the code, in pieces of 64 KiB, and a
/// process that then waits for requests would hold all of it for ever. Code that is needed again is read again from the
/// page cache, in microseconds. Only mappings that can be executed and never written are given back: they are equal to
/// the file, so nothing is lost.
struct StartUpMemory: Service {
    /// Long enough for connections to be made and for the first requests of a rolling restart.
    static let settlesAfterSeconds = 5

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(Self.settlesAfterSeconds)) }
            Self.releaseCode()
            try await gracefulShutdown()
        } catch is CancellationError {
            // The process stops before it has settled; an error here would end what is still being answered.
        }
    }

    /// Drops the pages of all code mappings from this process; they stay in the kernel's page cache.
    static func releaseCode() {
        guard let maps = FileManager.default.contents(atPath: "/proc/self/maps") else { return }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            guard let range = codeRange(of: line) else { continue }
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            // A kernel that refuses has nothing to give back; nothing depends on it.
            _ = unsafe madvise(start, Int(clamping: range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// The addresses of a line of `/proc/PID/maps` (proc(5)), if it is code that was mapped from a file.
    static func codeRange(of line: Substring) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count == 6, fields[1] == "r-xp", fields[4] != "0" else { return nil }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }
}
