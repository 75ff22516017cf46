/// Why a message is refused; the edge never repairs one (security guide R-80…R-89).
enum HTTPViolation: String, Error, Sendable, CaseIterable {
    case headerTooLarge, tooManyHeaders, malformedRequestLine, unsupportedVersion, unknownMethod, forbiddenMethod
    case badTarget, ambiguousPath, bareLineBreak, foldedHeader, malformedHeader, badHost, badContentLength
    case badTransferEncoding, ambiguousFraming, upgradeRefused, badExpectation, bodyTooLarge, badChunk
    case malformedStatusLine, headerTimeout, bodyTimeout

    /// The status of the answer.
    var status: Int {
        switch self {
        case .headerTooLarge, .tooManyHeaders: 431
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
