/// The memory that TLS adds to a connection.
///
/// BoringSSL keeps its state, and `NIOSSLHandler` keeps two buffers for good. The kernel provides as much memory for these as was
/// used since they were last given back (`RecordPages`). So the largest piece read or written determines it.
struct TLSBuffers: Sendable {
    /// The bytes that an open TLS connection is counted at more than a plain one. Measured: `RssAnon` grew by 23.9 KB for each of
    /// 4,000 that had been served once, and by 14.4 KB once they had given their buffers' pages back, which they take again
    /// whenever they are used.
    static let fixedBytes = 20 * 1024
    /// The bytes that it is counted at during the handshake. Measured: 34.6 KB for each of 1,500 of which 16,000 bytes of a
    /// ClientHello had arrived, and 19.5 KB for each that waited for the client's last message. A hello in two records may take 16
    /// KB more, which the bound of handshakes under way keeps small.
    static let handshakeBytes = 40 * 1024
    /// The size up to which `fixedBytes` covers a buffer.
    private static let coveredBytes = 4 * 1024
    /// The largest piece that is written at once: one record. In the buffer that `NIOSSLHandler` keeps, there is room left for what
    /// the encryption adds and for the tickets that BoringSSL sends with the first one, so that the buffer never grows.
    static let pieceBytes = 15_000
    /// The most that is read from the socket at once: about a record, so that its decrypted content mostly fits the other buffer.
    static let readBytesMax = 16 * 1024

    private var largestRead = 0
    private var largestWrite = 0
    /// Whether the buffers were used since they were given back. The handshake has used both.
    private(set) var areUsed = true

    /// Notes a piece from the client, decrypted.
    ///
    /// The handler needs room for a whole record before it decrypts one. After many small ones its buffer grows, and is then in the
    /// heap with everything it contained.
    mutating func didRead(_ count: Int) {
        largestRead = max(largestRead, count > RecordPages.recordBytes ? RecordPages.plainBytes : count)
        areUsed = true
    }

    /// Notes a piece that goes to the client.
    mutating func didWrite(_ count: Int) {
        largestWrite = max(largestWrite, min(count, Self.pieceBytes))
        areUsed = true
    }

    /// Notes that the memory of the buffers has been given back.
    ///
    /// - Parameter areGone: whether both buffers were released. `false` if the handler has replaced one, while the kernel had not
    ///   accepted its content or because it had to grow. The new one is in the heap, and stays.
    mutating func didRest(areGone: Bool) {
        if areGone { self = TLSBuffers() }
        areUsed = false
    }

    /// The bytes that it takes besides `fixedBytes`. The largest read counts twice, since BoringSSL keeps the next record until it
    /// is complete.
    var extraBytes: Int { 2 * max(0, largestRead - Self.coveredBytes) + max(0, largestWrite - Self.coveredBytes) }
}
