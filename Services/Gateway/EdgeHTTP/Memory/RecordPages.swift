import Glibc
import Synchronization

/// The memory of the two buffers that `NIOSSLHandler` keeps for each connection, one for records and one for their content. They
/// are whole pages of their own, so that a connection at rest can return them to the kernel.
///
/// In the heap the pages on which the buffers begin and end would stay with the process. `+Allocator` places the buffers here.
final class RecordPages: Sendable {
    /// The sizes that the handler requests: room for one record, and for two.
    static let recordBytes = 16 * 1024
    static let plainBytes = 32 * 1024
    private static let bytes = recordBytes + plainBytes
    /// How many are mapped at once.
    private static let mappedCount = 64
    /// The greatest number of free ones that keep their memory for the next handshakes.
    private static let warmMax = 16
    /// Whether the pages of a connection begin and end where the kernel's pages do. With large kernel pages the neighbour's memory
    /// would be released too.
    private static let areWhole = recordBytes.isMultiple(of: max(1, Int(sysconf(Int32(_SC_PAGESIZE)))))

    /// The addresses of free pages.
    private struct Free {
        var warm: [UInt] = []
        var cold: [UInt] = []

        mutating func take() -> UInt? {
            if let start = warm.popLast() { return start }
            if cold.isEmpty { cold = RecordPages.map() }
            return cold.popLast()
        }
    }

    private static let free = Mutex(Free())
    /// The addresses at which buffers are.
    static let lent = Mutex<[UInt: RecordPages]>([:])

    private let start: UInt

    /// Creates pages, or returns `nil` if the kernel maps no more or its pages are larger than a buffer.
    init?() {
        guard Self.areWhole, let start = Self.free.withLock({ $0.take() }) else { return nil }
        self.start = start
    }

    deinit {
        let isKept = Self.free.withLock { free in
            guard free.warm.count < Self.warmMax else { return false }
            free.warm.append(start)
            return true
        }
        guard !isKept else { return }
        release()
        Self.free.withLock { $0.cold.append(start) }
    }

    /// Returns the memory to the kernel. Its content is lost, and it can be used as before.
    ///
    /// - Parameter withRecords: whether the first buffer is released too; if `false`, its content stays.
    /// - Returns: `false` if the kernel refuses, in which case nothing has changed.
    @discardableResult
    func release(withRecords: Bool = true) -> Bool {
        let kept = withRecords ? 0 : Self.recordBytes
        let first = unsafe UnsafeMutableRawPointer(bitPattern: start + UInt(kept))
        return unsafe madvise(first, Self.bytes - kept, MADV_DONTNEED) == 0
    }

    private static func map() -> [UInt] {
        let length = bytes * mappedCount
        guard let region = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe region != MAP_FAILED
        else { return [] }
        // With large pages the first byte of a buffer would take 2 MB.
        _ = unsafe madvise(region, length, MADV_NOHUGEPAGE)
        let start = UInt(bitPattern: region)
        return (0..<mappedCount).reversed().map { start + UInt($0 * bytes) }
    }

    // MARK: Buffers

    /// Returns the address for a buffer of so many bytes, or `nil` if there is no such room here or it is lent already.
    ///
    /// Until the buffer is taken back, these pages are used for nothing else.
    func lend(_ byteCount: Int) -> UInt? {
        guard let offset = Self.offset(of: byteCount) else { return nil }
        let address = start + offset
        return Self.lent.withLock { lent in
            guard lent[address] == nil else { return nil }
            lent[address] = self
            return address
        }
    }

    private static func offset(of byteCount: Int) -> UInt? {
        switch byteCount {
        case recordBytes: 0
        case plainBytes: UInt(recordBytes)
        default: nil
        }
    }

    /// Whether the buffer for records is here. Once it had to wait for the kernel, the handler has another one in the heap.
    var areRecordsLent: Bool { Self.isLent(start) }
    /// Whether both buffers are here.
    var areAllLent: Bool { areRecordsLent && Self.isLent(start + UInt(Self.recordBytes)) }

    /// Whether the address is lent to a buffer.
    static func isLent(_ address: UInt) -> Bool { lent.withLock { $0[address] != nil } }

    /// Takes back the address of a buffer that is gone, or returns `false` if it was not lent one.
    static func takeBack(_ address: UInt) -> Bool {
        // If this was the last reference to the pages, they are freed after the lock is released.
        let pages = lent.withLock { $0.removeValue(forKey: address) }
        return pages != nil
    }
}
