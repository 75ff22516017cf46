/// A response that the edge makes itself.
package struct Reply: Sendable, Equatable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]
    /// Whether the connection is closed after it.
    package var closes = false

    /// Creates a response; `headers` are written in this order.
    package init(status: Int, headers: [(String, String)], body: [UInt8], closes: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closes = closes
    }

    package static func == (left: Reply, right: Reply) -> Bool {
        left.status == right.status && left.body == right.body && left.closes == right.closes
            && left.headers.elementsEqual(right.headers, by: ==)
    }
}
