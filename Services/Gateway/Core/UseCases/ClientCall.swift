import EdgeHTTP
import InternalAPI

/// What a use case is told of the request that it serves, in whichever dialect that came.
struct ClientCall: Sendable {
    private static let userAgentLengthMax = 256

    /// Follows the request through all processes.
    let requestID: String
    let address: String
    let credential: BearerCredential
    let userAgent: String?
    private let body: [UInt8]
    private let key: ClientIdempotencyKey

    init(_ request: EndpointRequest) {
        requestID = request.requestID
        address = request.clientAddress
        credential = BearerCredential(request.head)
        userAgent = request.head.text("user-agent").map { String($0.prefix(Self.userAgentLengthMax)) }
        body = request.body
        key = ClientIdempotencyKey(request.head)
    }

    /// The bearer's access token, not checked.
    var accessToken: String? {
        guard case .token(let token) = credential else { return nil }
        return String(decoding: token, as: UTF8.self)
    }

    /// Names the call of an operation: the same for its repeat with the same `Idempotency-Key`, else another.
    ///
    /// - Parameter user: the id of whoever is signed in; nil for nobody.
    func id(_ path: String, user: String?) throws(Refusal) -> String {
        guard let key = try idempotencyKey() else { return CallID.random() }
        return CallID.of(path, key: key, caller: user ?? "", body: body)
    }

    /// The client's `Idempotency-Key`, if there is one; asked for before anything is spent.
    func idempotencyKey() throws(Refusal) -> IdempotencyKey? {
        switch key {
        case .none: nil
        case .key(let key): key
        case .malformed: throw .malformedIdempotencyKey
        }
    }
}
