import Glibc
@_spi(CustomByteBufferAllocator) import NIOCore
import NIOPosix

/// Places the buffers of an encrypting handler in pages of their own. The handler makes them with the channel's allocator when it
/// is added.
extension RecordPages {
    private static let taking = ThreadSpecificVariable<RecordPages>()

    /// Runs `add` and places the buffers that an encrypting handler makes meanwhile in these pages.
    ///
    /// It must be called on the channel's event loop.
    func hold(buffersOf channel: any Channel, during add: () throws -> Void) throws {
        Self.taking.currentValue = self
        defer { Self.taking.currentValue = nil }
        try channel.syncOptions?.setOption(.allocator, value: Self.allocator)
        let outcome = Result { try add() }
        // The buffers that are read from the socket are in the heap, as everywhere.
        try channel.syncOptions?.setOption(.allocator, value: ByteBufferAllocator())
        try outcome.get()
    }

    /// The allocator of buffers in the pages on offer, or else in the heap. A buffer that replaces another which is still being
    /// read is in the heap too.
    private static let allocator = unsafe ByteBufferAllocator(
        allocate: { unsafe RecordPages.allocate($0) },
        reallocate: { unsafe RecordPages.reallocate($0, from: $1, to: $2) },
        deallocate: { unsafe RecordPages.deallocate($0) },
        copy: { unsafe $0.copyMemory(from: $1, byteCount: $2) })

    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard let address = taking.currentValue?.lend(byteCount) else { return unsafe malloc(byteCount) }
        return unsafe UnsafeMutableRawPointer(bitPattern: address)
    }

    private static func reallocate(
        _ bytes: UnsafeMutableRawPointer?, from oldCount: Int, to newCount: Int
    ) -> UnsafeMutableRawPointer? {
        guard let bytes = unsafe bytes, isLent(UInt(bitPattern: bytes)) else {
            return unsafe realloc(bytes, newCount)
        }
        guard let grown = unsafe malloc(newCount) else { return nil }
        unsafe grown.copyMemory(from: bytes, byteCount: min(oldCount, newCount))
        unsafe deallocate(bytes)
        return unsafe grown
    }

    private static func deallocate(_ bytes: UnsafeMutableRawPointer) {
        if !takeBack(UInt(bitPattern: bytes)) { unsafe free(bytes) }
    }
}
