import NIOCore

/// Sizes the buffers into which a connection is read: more while much comes, at most 64 KiB, and none kept by the channel
/// but the first, which is small. What a connection at rest has read into is free again.
struct ReceiveBuffers: RecvByteBufferAllocator {
    static let bytesMax = 64 * 1024
    /// The channel keeps its first buffer for good; a usual request fits.
    private static let firstBytes = 512
    private static let usualBytes = 2048

    private var sizes: AdaptiveRecvByteBufferAllocator
    private var isFirst = true

    /// - Parameter bytesMax: of the largest buffer.
    init(bytesMax: Int = Self.bytesMax) {
        sizes = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: Self.usualBytes, maximum: bytesMax)
    }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        isFirst ? allocator.buffer(capacity: Self.firstBytes) : sizes.buffer(allocator: allocator)
    }

    /// True: no read goes into a buffer that the channel has kept.
    mutating func record(actualReadBytes: Int) -> Bool {
        // The first buffer says nothing about the next, which is larger anyway.
        if !isFirst { _ = sizes.record(actualReadBytes: actualReadBytes) }
        isFirst = false
        return true
    }

    /// Nil: buffers are not kept for the next read.
    func nextBufferSize() -> Int? { nil }
}
