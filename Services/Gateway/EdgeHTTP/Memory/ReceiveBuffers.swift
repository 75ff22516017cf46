import NIOCore

/// Sizes the buffers into which a connection is read: larger while much arrives, at most 64 KiB. The channel keeps only the first
/// one, which is small. The buffers of a connection at rest are free again.
struct ReceiveBuffers: RecvByteBufferAllocator {
    static let bytesMax = 64 * 1024
    /// The size of the buffer that the channel keeps for good; a usual request fits.
    private static let firstBytes = 512
    private static let usualBytes = 2048

    private var sizes: AdaptiveRecvByteBufferAllocator
    private var isFirst = true

    /// - Parameter bytesMax: the size of the largest buffer.
    init(bytesMax: Int = Self.bytesMax) {
        sizes = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: Self.usualBytes, maximum: bytesMax)
    }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        isFirst ? allocator.buffer(capacity: Self.firstBytes) : sizes.buffer(allocator: allocator)
    }

    /// Returns `true`, so that no read uses a buffer that the channel has kept.
    mutating func record(actualReadBytes: Int) -> Bool {
        // The size of the first read tells nothing about the next buffer, which is larger anyway.
        if !isFirst { _ = sizes.record(actualReadBytes: actualReadBytes) }
        isFirst = false
        return true
    }

    /// Returns `nil`, since buffers are not kept for the next read.
    func nextBufferSize() -> Int? { nil }
}
