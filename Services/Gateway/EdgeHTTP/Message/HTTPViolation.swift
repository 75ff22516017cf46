/// The rule for which a message is refused. The edge never repairs one (security guide R-80…R-89).
package enum HTTPViolation: String, Error, Sendable, CaseIterable {
    case headerTooLarge, tooManyHeaders, targetTooLong, malformedStartLine, unsupportedVersion, unknownMethod
    case forbiddenMethod, badTarget, ambiguousPath, bareLineBreak, foldedHeader, malformedHeader, badHost
    case badContentLength, badTransferEncoding, ambiguousFraming, framingLookalike, unexpectedBody
    case badExpectation, bodyTooLarge, badChunk, wastefulFraming, tooManyOptions, headerTimeout, bodyTimeout
    /// A request at a WebSocket's path that does not open one, or does so in another version (RFC 6455 section 4.4).
    case webSocketRequired, webSocketVersion
    /// A request to open a WebSocket that breaks the rules (RFC 6455 section 4.2.1).
    case badUpgrade, badWebSocketKey, badSubprotocol
    /// A pseudo-header of HTTP/2 that is missing, unknown, repeated or out of place, and a field for one connection (RFC 9113
    /// section 8).
    case badPseudoHeader, connectionField
    /// A request for a host that the connection's certificate does not cover (RFC 9110 section 15.5.20).
    case misdirected
    /// Frames of HTTP/2 that break its rules, or that only make work.
    case badFrame, excessiveFrames
    /// Plain text on a TLS port.
    case tlsRequired
    /// A connection that begins without the expected PROXY header, or with one too many.
    case badProxyHeader
    /// A connection that expects a PROXY header and comes from no trusted proxy.
    case untrustedPeer

    /// The status of the response.
    package var status: Int {
        switch self {
        case .headerTooLarge, .tooManyHeaders: 431
        case .targetTooLong: 414
        case .unsupportedVersion: 505
        case .unknownMethod: 501
        case .forbiddenMethod: 405
        case .bodyTooLarge: 413
        case .badExpectation: 417
        case .misdirected: 421
        case .webSocketRequired, .webSocketVersion: 426
        case .headerTimeout, .bodyTimeout: 408
        default: 400
        }
    }

    /// The rules of requests that open WebSockets.
    package static let ofWebSockets: [HTTPViolation] = [
        .webSocketRequired, .webSocketVersion, .badUpgrade, .badWebSocketKey, .badSubprotocol,
    ]

    /// The name that a refusal's `detail` and the log state: the case's name with underscores.
    package var reason: String {
        rawValue.reduce(into: "") { name, letter in
            if letter.isUppercase, name.last?.isLowercase == true { name += "_" }
            name += letter.lowercased()
        }
    }

    /// Whether the end of the request's body can still be found, and is worth waiting for.
    var leavesBody: Bool {
        switch self {
        case .badChunk, .wastefulFraming, .headerTimeout, .bodyTimeout: false
        default: true
        }
    }
}
