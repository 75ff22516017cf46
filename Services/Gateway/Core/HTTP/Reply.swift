/// An answer that we make ourselves.
struct Reply: Sendable, Equatable {
    var status: Int
    var headers: [(String, String)]
    var body: [UInt8]
    /// The connection ends after it.
    var closes = false

    init(status: Int, headers: [(String, String)], body: [UInt8], closes: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closes = closes
    }

    static func == (left: Reply, right: Reply) -> Bool {
        left.status == right.status && left.body == right.body && left.closes == right.closes
            && left.headers.elementsEqual(right.headers, by: ==)
    }
}

/// A request to one of our own endpoints, with its whole body.
struct EndpointRequest: Sendable {
    let head: RequestHead
    let body: [UInt8]
    /// Random, made by us; follows the request through all processes.
    let requestID: String
    let clientAddress: String
}
