/// Memory that TLS takes of a connection beside what every connection does.
///
/// BoringSSL keeps its state, and `NIOSSLHandler` two buffers for good, of which the kernel gives as much memory as was ever
/// used: so what counts is the largest piece that came or went.
struct TLSBuffers: Sendable {
    /// What an open connection over TLS takes more than a plain one: an estimate, within the 27 KB that each of 10,000 takes in
    /// all (`deploy/bench gateway --tls`).
    static let restingBytes = 20 * 1024
    /// During the handshake, an estimate too.
    static let handshakeBytes = 40 * 1024
    /// One record, with room for what the encryption adds in the buffer that `NIOSSLHandler` keeps; so it never grows.
    static let pieceBytes = 16_000
    /// What is read of the socket at once, for the same reason.
    static let readBytesMax = 16 * 1024
    /// Up to here `restingBytes` covers it.
    private static let coveredBytes = 4 * 1024

    private var largestRead = 0
    private var largestWrite = 0

    /// Notes a piece as the client sent it, decrypted.
    mutating func didRead(_ count: Int) { largestRead = max(largestRead, count) }

    /// Notes a piece that goes to the client.
    mutating func didWrite(_ count: Int) { largestWrite = max(largestWrite, min(count, Self.pieceBytes)) }

    /// What it takes beside `restingBytes`.
    var extraBytes: Int { max(0, largestRead - Self.coveredBytes) + max(0, largestWrite - Self.coveredBytes) }
}
