import EdgeHTTP

/// A request to one of our own endpoints, with the part that a page's cookies play in it.
struct ClientRequest: Sendable {
    let endpoint: EndpointRequest
    /// `nil` if the request's host sets no cookies.
    let page: PageRequest?
    let json: JSONBody

    init(_ endpoint: EndpointRequest, page: PageRequest? = nil) {
        self.endpoint = endpoint
        json = JSONBody(endpoint.body)
        self.page = page
    }

    var head: RequestHead { endpoint.head }
    var body: [UInt8] { endpoint.body }
    var requestID: String { endpoint.requestID }
    var clientAddress: String { endpoint.clientAddress }

    /// Whether a web page sent the request.
    var isPage: Bool { page?.isPage == true }

    /// The access token of the request: the bearer's, or else that of the page's cookie.
    var credential: BearerCredential {
        let bearer = BearerCredential(head)
        return bearer == .missing ? page?.accessCredential ?? bearer : bearer
    }
}
