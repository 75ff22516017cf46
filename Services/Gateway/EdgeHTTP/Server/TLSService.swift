import NIOCore

/// What the handshakes of one listener have in common.
final class TLSService: Sendable {
    /// Makes the connection that serves requests once hands are shaken.
    typealias MakeConnection = @Sendable (ConnectionSlot, LoopPools, any EventLoop, TLSTransport) -> ServerConnection

    /// Of the slots, so many may be taken by handshakes under way.
    private static let slotsDivisor = 8
    private static let handshakesMin = 16

    let certificates: TLSCertificates
    let limits: ServerLimits
    /// Handshakes under way on each event loop.
    let handshakesMax: Int
    let metrics = HandshakeMetrics()
    /// What a client is answered that speaks plain HTTP.
    let plainTextAnswer: @Sendable () -> ByteBuffer
    /// Reports a connection that is closed without a response.
    let note: @Sendable (HTTPViolation) -> Void
    let connection: MakeConnection

    /// - Parameter loopCount: event loops among which the connections are shared.
    init(
        certificates: TLSCertificates, limits: ServerLimits, loopCount: Int,
        plainTextAnswer: @escaping @Sendable () -> ByteBuffer, note: @escaping @Sendable (HTTPViolation) -> Void,
        connection: @escaping MakeConnection
    ) {
        self.certificates = certificates
        self.limits = limits
        handshakesMax = max(Self.handshakesMin, limits.connectionsMax / Self.slotsDivisor / max(1, loopCount))
        self.plainTextAnswer = plainTextAnswer
        self.note = note
        self.connection = connection
    }
}
