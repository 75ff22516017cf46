/// An answer that we make ourselves.
package struct Reply: Sendable, Equatable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]
    /// The connection ends after it.
    package var closes = false

    /// An answer; `headers` are written in this order.
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
