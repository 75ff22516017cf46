import CryptoPrimitives
import EdgeHTTP
import InternalAPI

/// The facts about a request that a use case needs, in whichever dialect it was sent.
struct ClientCall: Sendable {
    private static let userAgentLengthMax = 256

    /// The idempotency key of a form. The token in the form distinguishes it from all others.
    private static let formKey = IdempotencyKey("page-form")

    /// The id that follows the request through all processes.
    let requestID: String
    let address: String
    var credential: BearerCredential
    let userAgent: String?
    /// The SHA-256 of `X-Device-Fingerprint` in base64url; `nil` if the client sent none. Whatever the field contains, it stops no
    /// sign-in.
    let fingerprint: String?
    /// The public key of the client's Supabase project, for the old server of `dialects[].previous`; `nil` if the client sent none.
    let apiKey: String?
    /// The part that a page's cookies play in the request.
    let page: PageRequest?
    private let body: [UInt8]
    private let key: ClientIdempotencyKey
    private let isForm: Bool

    /// - Parameters:
    ///   - isForm: whether a page's form was sent; a second click on it repeats the same call.
    ///   - derived: the key of a request whose client sends none; `nil` if it then has none.
    init(_ request: ClientRequest, isForm: Bool = false, derived: IdempotencyKey? = nil) {
        self.isForm = isForm
        requestID = request.requestID
        address = request.clientAddress
        credential = request.credential
        page = request.page
        userAgent = request.head.text("user-agent").map { String($0.prefix(Self.userAgentLengthMax)) }
        fingerprint = request.head.text("x-device-fingerprint").flatMap { text in
            text.isEmpty ? nil : Base64URL.encode(SHA256.hash(Array(text.utf8)))
        }
        apiKey = request.head.text("apikey").flatMap { $0.hasPrefix(AdminCall.keyPrefix) ? nil : $0 }
        body = request.body
        let sent = ClientIdempotencyKey(request.head)
        key = sent == .none ? derived.map { .key($0) } ?? .none : sent
    }

    /// The client of a sign-in, for the record of the user's devices and networks.
    func origin(deviceName: String?) -> SignInOrigin {
        SignInOrigin(fingerprint: fingerprint, deviceName: deviceName, userAgent: userAgent, address: address)
    }

    /// The access token that the client presents, not verified.
    var accessToken: String? {
        guard case .token(let token) = credential else { return nil }
        return String(decoding: token, as: UTF8.self)
    }

    /// This call with the access token that it has led to.
    func bearing(_ accessToken: String) -> ClientCall {
        var call = self
        call.credential = BearerCredential(token: Array(accessToken.utf8))
        return call
    }

    /// Whether a session of the dialect is a page's, whose tokens go into cookies.
    func opensPage(in dialect: String) -> Bool { page?.isPage == true && page?.dialect.name == dialect }

    /// The secret of the page's session, which ends when the page signs in again, in whichever dialect; `nil` if there is none.
    var replacedPage: String? { page?.isPage == true ? page?.secret?.text : nil }

    /// Returns the id of an operation's call. A repeat with the same `Idempotency-Key` or form has the same id.
    ///
    /// - Parameter user: the id of the signed-in user; `nil` if there is none.
    func id(_ path: String, user: String?) throws(Refusal) -> String {
        guard let key = try idempotencyKey() else { return CallID.random() }
        return CallID.of(path, key: key, caller: user ?? "", body: body)
    }

    /// Returns the client's `Idempotency-Key`, or `nil` if it sent none. It is read before any proof is used.
    func idempotencyKey() throws(Refusal) -> IdempotencyKey? {
        switch key {
        case .none: isForm ? Self.formKey : nil
        case .key(let key): key
        case .malformed: throw .malformedIdempotencyKey
        }
    }
}
