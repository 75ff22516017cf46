import EdgeHTTP
import InternalAPI

/// What a use case is told of the request that it serves, in whichever dialect that came.
struct ClientCall: Sendable {
    private static let userAgentLengthMax = 256

    /// The key of a form, whose token tells it from all others.
    private static let formKey = IdempotencyKey("page-form")

    /// Follows the request through all processes.
    let requestID: String
    let address: String
    let credential: BearerCredential
    let userAgent: String?
    private let body: [UInt8]
    private let key: ClientIdempotencyKey
    private let isForm: Bool

    /// - Parameter isForm: whether a page's form was sent: another click on it is a repeat of the same call.
    init(_ request: EndpointRequest, isForm: Bool = false) {
        self.isForm = isForm
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

    /// Names the call of an operation: the same for its repeat with the same `Idempotency-Key` or form, else another.
    ///
    /// - Parameter user: the id of whoever is signed in; nil for nobody.
    func id(_ path: String, user: String?) throws(Refusal) -> String {
        guard let key = try idempotencyKey() else { return CallID.random() }
        return CallID.of(path, key: key, caller: user ?? "", body: body)
    }

    /// The client's `Idempotency-Key`, if there is one; asked for before anything is spent.
    func idempotencyKey() throws(Refusal) -> IdempotencyKey? {
        switch key {
        case .none: isForm ? Self.formKey : nil
        case .key(let key): key
        case .malformed: throw .malformedIdempotencyKey
        }
    }
}
