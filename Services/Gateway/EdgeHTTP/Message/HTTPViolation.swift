/// Why a message is refused; the edge never repairs one (security guide R-80…R-89).
package enum HTTPViolation: String, Error, Sendable, CaseIterable {
    case headerTooLarge, tooManyHeaders, targetTooLong, malformedStartLine, unsupportedVersion, unknownMethod
    case forbiddenMethod, badTarget, ambiguousPath, bareLineBreak, foldedHeader, malformedHeader, badHost
    case badContentLength, badTransferEncoding, ambiguousFraming, framingLookalike, unexpectedBody, upgradeRefused
    case badExpectation, bodyTooLarge, badChunk, wastefulFraming, tooManyOptions, headerTimeout, bodyTimeout
    /// Plain text where TLS is spoken.
    case tlsRequired

    /// The status of the answer.
    package var status: Int {
        switch self {
        case .headerTooLarge, .tooManyHeaders: 431
        case .targetTooLong: 414
        case .unsupportedVersion: 505
        case .unknownMethod, .upgradeRefused: 501
        case .forbiddenMethod: 405
        case .bodyTooLarge: 413
        case .badExpectation: 417
        case .headerTimeout, .bodyTimeout: 408
        default: 400
        }
    }
}
