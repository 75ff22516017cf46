import CMalloc
import Glibc

/// Returns memory that a process has but does not use to the kernel.
package enum SpareMemory {
    private static let mapsBytesMax = 1 << 20
    private static let readBytes = 64 << 10

    /// Returns the free pages of the heap, which it keeps after many objects existed at once.
    package static func releaseHeap() { malloc_trim(0) }

    /// Drops the pages of program code from this process. They stay in the kernel's page cache, from which code that is needed
    /// again is read in microseconds.
    ///
    /// Only mappings that can be executed and never written are dropped: they are equal to the file, so nothing is lost.
    package static func releaseCode() {
        for range in codeRanges() {
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            // A kernel that refuses has nothing to drop, and nothing depends on it.
            _ = unsafe madvise(start, Int(clamping: range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// Returns the address ranges of this process's code.
    static func codeRanges() -> [Range<UInt>] {
        maps().split(separator: "\n").compactMap(codeRange)
    }

    /// Reads the map of this process to its end, since such a file does not state its size and returns a page at a time.
    private static func maps() -> String {
        let file = unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var (text, bytes) = ([UInt8](), [UInt8](repeating: 0, count: readBytes))
        while text.count < mapsBytesMax {
            let count = unsafe read(file, &bytes, bytes.count)
            guard count > 0 else { break }
            text += bytes.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the addresses of a line of `/proc/PID/maps` (proc(5)) if it is code that was mapped from a file.
    static func codeRange(of line: Substring) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count == 6, fields[1] == "r-xp", fields[4] != "0" else { return nil }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }
}
