import EdgeHTTP

/// An API that the gateway speaks: its rows, and the shape of every answer that is not a row's own.
///
/// One file of a dialect lists its rows, others decode and encode; what is done stands in the use cases, which all
/// dialects share.
protocol Dialect: Sendable {
    /// As policies and session rows name it.
    var name: String { get }
    var rows: [DialectRow] { get }
    /// The answer to a request that is not carried out, whoever refuses it: a use case, the edge, or HTTP itself.
    func reply(to refusal: Refusal) -> Reply
}
