import EdgeHTTP
import InternalAPI

/// The deployment's users for an administrator. user-service decides by its own row whether the bearer is one.
struct AdministerUsers: Sendable {
    /// The greatest length of a user's id or of a cursor; a longer one cannot exist.
    static let idLengthMax = 512

    let user: ServiceClient

    func search(_ request: SearchUsersRequest, _ call: AdminCall) async throws(Refusal) -> UserPage {
        try await user.answer(AdminOperations.search, call.request(request), for: call.client)
    }

    func read(_ id: String, _ call: AdminCall) async throws(Refusal) -> UserSummary {
        guard id.utf8.count <= Self.idLengthMax else { throw .noSuchUser }
        return try await user.answer(AdminOperations.read, call.request(FindUserRequest(key: id)), for: call.client)
    }
}

/// An administrator's request.
struct AdminCall: Sendable {
    private static let versionsMax = 8

    let client: ClientCall
    /// The reason for the audit.
    let reason: String?
    /// The versions of `If-Match`; `nil` if any version will do.
    let versions: [String]?

    /// - Throws: `.invalid` for an `If-Match` of too many versions.
    init(_ request: ClientRequest) throws(Refusal) {
        client = ClientCall(request)
        reason = request.head.text("latchkey-reason")
        let fields = request.head.all("if-match").map { String(decoding: $0, as: UTF8.self) }
        let tags = fields.joined(separator: ",").split(separator: ",").map { tag in
            // A weak tag matches nothing (RFC 9110 §13.1.1).
            String(tag.filter { $0 != "\"" && $0 != " " })
        }
        guard tags.count <= Self.versionsMax else { throw .invalid(member: "If-Match") }
        versions = fields.isEmpty || tags == ["*"] ? nil : tags
    }

    func request<Body>(_ body: Body) -> AdminRequest<Body> { AdminRequest(body, reason: reason, versions: versions) }
}
