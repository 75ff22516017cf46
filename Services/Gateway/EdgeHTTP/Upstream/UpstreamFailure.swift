import OutgoingConnections

/// The reason why an upstream returned no complete response.
package enum UpstreamFailure: String, Error, Sendable, CaseIterable {
    /// No endpoint accepted a connection.
    case unreachable
    /// All connections are busy and too many requests wait, or one waited too long.
    case overloaded
    /// The connection ended before a response began.
    case closedBeforeAnswer
    /// The response was cut off.
    case brokenAnswer
    case malformedAnswer
    /// The caller does not accept the response as one to its request.
    case refusedAnswer
    case timeout
    case cancelled

    /// The failure of the connection by which a request got no complete response; `nil` for any other reason.
    var connection: ConnectionFailure? {
        switch self {
        case .closedBeforeAnswer, .brokenAnswer: .closed
        case .timeout: .timedOut
        case .unreachable, .overloaded, .malformedAnswer, .refusedAnswer, .cancelled: nil
        }
    }
}
