/// Memory that TLS takes of a connection beside what every connection does.
///
/// BoringSSL keeps its state, and `NIOSSLHandler` two buffers for good, of which the kernel gives as much memory as was used
/// since they were given back last (`RecordPages`): so what counts is the largest piece that came or went.
struct TLSBuffers: Sendable {
    /// What an open connection over TLS is counted at more than a plain one. Measured: `RssAnon` grew by 23.9 KB for each of
    /// 4,000 that had been served once, and by 14.4 KB once they had given their buffers' pages back, which they take again
    /// whenever they are used.
    static let fixedBytes = 20 * 1024
    /// The same during the handshake. Measured: 34.6 KB for each of 1,500 of which 16,000 bytes of a ClientHello had come, and
    /// 19.5 KB for each that waited for the client's last message. A hello in two records may take 16 KB more, which the bound of
    /// handshakes under way keeps small.
    static let handshakeBytes = 40 * 1024
    /// Up to here `fixedBytes` covers a buffer.
    private static let coveredBytes = 4 * 1024
    /// One record, with room for what the encryption adds in the buffer that `NIOSSLHandler` keeps, and for the tickets that
    /// BoringSSL sends with the first one; so it never grows.
    static let pieceBytes = 15_000
    /// What is read of the socket at once: about a record, so that what is decrypted of it mostly fits the other buffer.
    static let readBytesMax = 16 * 1024

    private var largestRead = 0
    private var largestWrite = 0
    /// Whether anything was in them since they were given back; the handshake has used both.
    private(set) var areUsed = true

    /// Notes a piece as the client sent it, decrypted.
    ///
    /// The handler wants room for a whole record before it decrypts one: behind many small ones its buffer grows, and lies in
    /// the heap with all that it had.
    mutating func didRead(_ count: Int) {
        largestRead = max(largestRead, count > RecordPages.recordBytes ? RecordPages.plainBytes : count)
        areUsed = true
    }

    /// Notes a piece that goes to the client.
    mutating func didWrite(_ count: Int) {
        largestWrite = max(largestWrite, min(count, Self.pieceBytes))
        areUsed = true
    }

    /// Their memory has been given back.
    ///
    /// - Parameter areGone: false when the handler has replaced one, while the kernel had not taken what is in it or because
    ///   it had to grow: the new one lies in the heap, and stays.
    mutating func didRest(areGone: Bool) {
        if areGone { self = TLSBuffers() }
        areUsed = false
    }

    /// What it takes beside `fixedBytes`: of what was read twice as much, since BoringSSL has the next record until it is whole.
    var extraBytes: Int { 2 * max(0, largestRead - Self.coveredBytes) + max(0, largestWrite - Self.coveredBytes) }
}
