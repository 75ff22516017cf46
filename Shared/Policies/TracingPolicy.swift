/// The choice of the requests whose traces are exported. Only the gateway makes it, and services follow.
package struct TracingPolicy: Sendable, Equatable {
    /// One in this many requests; 0 for none.
    package var oneIn: Int64 = 0

    package init() {}
}

extension TracingPolicy {
    static let keys: [Key<Self>] = [
        Key("oneIn", \.oneIn, .integer(0...1_000_000), "One in this many requests is traced; 0: none.")
    ]
}
