/// Why an upstream gave no whole answer.
package enum UpstreamFailure: String, Error, Sendable, CaseIterable {
    /// No endpoint accepted a connection.
    case unreachable
    /// All connections are busy and too many requests wait, or one waited too long.
    case overloaded
    /// The connection ended before an answer began.
    case closedBeforeAnswer
    /// The answer broke off.
    case brokenAnswer
    case malformedAnswer
    /// The caller does not take the answer for one to its request.
    case refusedAnswer
    case timeout
    case cancelled
}
