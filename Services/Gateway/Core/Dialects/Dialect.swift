import EdgeHTTP

/// An API that the gateway speaks: its rows, and the shape of every response that does not come from a row.
///
/// One file of a dialect lists its rows, and others decode and encode. The work itself is done by the use cases, which all dialects
/// share.
protocol Dialect: Sendable {
    /// The name of the dialect in policies and session rows.
    var name: String { get }
    var rows: [DialectRow] { get }
    /// Whether its clients sign out at a refusal in another shape, so that it also refuses requests that may be anybody's.
    var needsOwnRefusals: Bool { get }
    /// The headers that its clients in browsers read.
    var exposedHeaders: [String] { get }
    /// The headers that its clients in browsers send.
    var allowedHeaders: [String] { get }
    /// Returns the response to a request that a use case, the edge or the HTTP layer refuses.
    func reply(to refusal: Refusal) -> Reply
}

extension Dialect {
    var needsOwnRefusals: Bool { false }
    var exposedHeaders: [String] { [] }
    var allowedHeaders: [String] { [] }
}
