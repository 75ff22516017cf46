import Glibc
import Synchronization

/// The memory of the two buffers that `NIOSSLHandler` keeps of a connection for good, one for records and one for what is in
/// them: whole pages of their own, so that a connection at rest can give them back.
///
/// In the heap the pages on which the buffers begin and end would stay with the process. `+Allocator` puts the buffers here.
final class RecordPages: Sendable {
    /// What the handler asks for: room for one record, and for two.
    static let recordBytes = 16 * 1024
    static let plainBytes = 32 * 1024
    private static let bytes = recordBytes + plainBytes
    /// So many are mapped at once.
    private static let mappedCount = 64
    /// Free ones that keep their memory for the next handshakes.
    private static let warmMax = 16
    /// Whether a connection's begin and end where the kernel's pages do: with large ones the neighbour's would go too.
    private static let areWhole = recordBytes.isMultiple(of: max(1, Int(sysconf(Int32(_SC_PAGESIZE)))))

    /// Addresses of those that nobody has.
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
    /// Addresses at which buffers lie.
    static let lent = Mutex<[UInt: RecordPages]>([:])

    private let start: UInt

    /// Nil: the kernel maps no more, or its pages are larger than a buffer.
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

    /// Gives the memory back to the kernel; what was in it is gone, and it can be used as before.
    ///
    /// - Parameter withRecords: false: what is in the first buffer stays.
    /// - Returns: false: the kernel refuses, and everything is as it was.
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
        // Of large pages the first byte of a buffer would take 2 MB.
        _ = unsafe madvise(region, length, MADV_NOHUGEPAGE)
        let start = UInt(bitPattern: region)
        return (0..<mappedCount).reversed().map { start + UInt($0 * bytes) }
    }

    // MARK: Buffers

    /// The address for a buffer of so many bytes; nil if there is no such room here, or it is lent already.
    ///
    /// Until it is taken back, these pages are not anybody else's.
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

    /// Whether the buffer for records lies here: once it had to wait for the kernel the handler has another, in the heap.
    var areRecordsLent: Bool { Self.isLent(start) }
    /// Whether both buffers lie here.
    var areAllLent: Bool { areRecordsLent && Self.isLent(start + UInt(Self.recordBytes)) }

    /// Whether a buffer was lent this address.
    static func isLent(_ address: UInt) -> Bool { lent.withLock { $0[address] != nil } }

    /// A buffer is gone; false if it had not been lent its address.
    static func takeBack(_ address: UInt) -> Bool {
        // Whoever was the last to have the pages frees them behind the lock.
        let pages = lent.withLock { $0.removeValue(forKey: address) }
        return pages != nil
    }
}
