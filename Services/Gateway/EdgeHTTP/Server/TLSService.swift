import NIOCore

/// The parts that the handshakes of one listener share.
final class TLSService: Sendable {
    /// Creates the connection that serves requests after the handshake.
    typealias MakeConnection<Connection> = @Sendable (TLSHandshake, any EventLoop, TLSTransport) -> Connection

    /// The divisor of the slots that gives the greatest number of handshakes under way.
    private static let slotsDivisor = 8
    private static let handshakesMin = 16

    let certificates: TLSCertificates
    /// The greatest number of handshakes under way on each event loop.
    let handshakesMax: Int
    let metrics = HandshakeMetrics()
    /// Returns the response to a client that uses plain HTTP.
    let plainTextAnswer: @Sendable () -> ByteBuffer
    /// Reports a connection that is closed without a response.
    let note: @Sendable (HTTPViolation) -> Void
    let connection: MakeConnection<ServerConnection>
    let http2Connection: MakeConnection<HTTP2Connection>

    /// - Parameters:
    ///   - connectionsMax: the connections that are accepted at most when the server starts.
    ///   - loopCount: the number of event loops that share the connections.
    init(
        certificates: TLSCertificates, connectionsMax: Int, loopCount: Int,
        plainTextAnswer: @escaping @Sendable () -> ByteBuffer, note: @escaping @Sendable (HTTPViolation) -> Void,
        connection: @escaping MakeConnection<ServerConnection>,
        http2Connection: @escaping MakeConnection<HTTP2Connection>
    ) {
        self.certificates = certificates
        handshakesMax = max(Self.handshakesMin, connectionsMax / Self.slotsDivisor / max(1, loopCount))
        self.plainTextAnswer = plainTextAnswer
        self.note = note
        self.connection = connection
        self.http2Connection = http2Connection
    }
}
