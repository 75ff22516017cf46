import EdgeHTTP

/// An API that the gateway speaks: its rows, and the shape of every response that does not come from a row.
///
/// One file of a dialect lists its rows, and others decode and encode. The work itself is done by the use cases, which all dialects
/// share.
protocol Dialect: Sendable {
    /// The name of the dialect in policies and session rows.
    var name: String { get }
    var rows: [DialectRow] { get }
    /// Returns the response to a request that a use case, the edge or the HTTP layer refuses.
    func reply(to refusal: Refusal) -> Reply
}
