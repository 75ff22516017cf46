import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies
import ServiceCalls
import ServiceKit

/// The deployment's users for an administrator. user-service decides by its own row whether the bearer is one.
struct AdministerUsers: Sendable {
    /// The greatest length of a user's or a session's id, or of a cursor; a longer one cannot exist.
    static let idLengthMax = 512

    let user: ServiceClient
    /// This process, whose policy and state administrators read too.
    let process: ProcessContext

    func search(_ request: SearchUsersRequest, _ call: AdminCall) async throws(Refusal) -> UserPage {
        try await user.answer(AdminOperations.search, call.request(request), for: call.client)
    }

    func read(_ id: String, _ call: AdminCall) async throws(Refusal) -> UserSummary {
        try await user.answer(AdminOperations.read, call.request(FindUserRequest(key: id)), for: call.client)
    }

    func audit(_ request: WholeAuditRequest, _ call: AdminCall) async throws(Refusal) -> WholeAuditPage {
        try await user.answer(AdminOperations.audit, call.request(request), for: call.client)
    }

    func story(_ request: WholeAuditRequest, _ call: AdminCall) async throws(Refusal) -> StoryPage {
        try await user.answer(AdminOperations.story, call.request(request), for: call.client)
    }

    func keys(_ call: AdminCall) async throws(Refusal) -> KeyList {
        try await user.answer(AdminOperations.keys, call.request(NoBody()), for: call.client)
    }

    /// - Parameter hours: the number of hours, the current one included.
    func spend(hours: Int64, _ call: AdminCall) async throws(Refusal) -> GuardReport {
        let request = GuardReportRequest(hours: hours)
        return try await user.answer(AdminOperations.spend, call.request(request), for: call.client)
    }

    /// The state of the other services, and of this one.
    func today(_ call: AdminCall) async throws(Refusal) -> (services: TodayReport, gateway: ServiceState) {
        let report = try await user.answer(AdminOperations.today, call.request(NoBody()), for: call.client)
        return (report, await process.state.report(process.policy))
    }

    func series(days: Int, _ call: AdminCall) async throws(Refusal) -> CountSeries {
        try await user.answer(AdminOperations.series, call.request(SeriesRequest(days: days)), for: call.client)
    }

    /// The policy in effect, for a bearer who may read it.
    func policy(_ call: AdminCall) async throws(Refusal) -> Policy {
        _ = try await user.answer(AdminOperations.policy, call.request(NoBody()), for: call.client)
        return process.policy
    }

    /// - Parameter recipient: a phone number or an email address.
    func trace(of recipient: String, hours: Int64, _ call: AdminCall) async throws(Refusal) -> TraceAnswer {
        let request = TraceRequest(to: recipient, hours: hours)
        return try await user.answer(AdminOperations.trace, call.request(request), for: call.client)
    }

    func sessions(of id: String, _ call: AdminCall) async throws(Refusal) -> SessionList {
        try await user.answer(AdminOperations.sessions, call.request(UserSessionsRequest(userID: id)), for: call.client)
    }

    /// - Parameter session: the one that ends, or `nil` for all.
    func endSessions(of id: String, session: String?, _ call: AdminCall) async throws(Refusal) -> EndSessionsAnswer {
        let request = EndUserSessionsRequest(userID: id, sessionID: session)
        return try await user.answer(AdminOperations.endSessions, call.request(request), for: call.client)
    }

    func create(_ request: CreateUserRequest, _ call: AdminCall) async throws(Refusal) -> UserSummary {
        try await user.answer(AdminOperations.create, call.request(request), for: call.client)
    }

    /// Changes the members that the request has, and returns the user afterwards.
    func change(_ request: ChangeUserRequest, _ call: AdminCall) async throws(Refusal) -> UserSummary {
        try await user.answer(AdminOperations.change, call.request(request), for: call.client)
    }

    /// Schedules the user's removal, and returns its time in Unix seconds.
    func delete(_ id: String, _ call: AdminCall) async throws(Refusal) -> Int64 {
        try await user.answer(AdminOperations.delete, call.request(DeleteUserRequest(userID: id)), for: call.client)
            .dueAt
    }

    func restore(_ id: String, _ call: AdminCall) async throws(Refusal) {
        _ = try await user.answer(
            AdminOperations.restore, call.request(RestoreUserRequest(userID: id)), for: call.client)
    }

    /// - Parameter phone: the new number; `nil` ends a change that has begun.
    func replacePhone(of id: String, with phone: String?, _ call: AdminCall) async throws(Refusal) {
        let request = ReplacePhoneRequest(userID: id, phone: phone)
        _ = try await user.answer(AdminOperations.replacePhone, call.request(request), for: call.client)
    }

    /// - Parameter cursor: the last user of the page before, or `nil` for the first page.
    func reviews(behind cursor: String?, _ call: AdminCall) async throws(Refusal) -> AccountReviewPage {
        let request = AccountReviewsRequest(cursor: cursor)
        return try await user.answer(AdminOperations.reviews, call.request(request), for: call.client)
    }

    /// Lifts a phone number's own lockout and limits, and returns whether there were any.
    func unlock(_ phone: String, _ call: AdminCall) async throws(Refusal) -> Bool {
        try await user.answer(AdminOperations.unlock, call.request(NumberRequest(phone: phone)), for: call.client)
            .wasLocked
    }

    /// - Parameter phone: the number whose access the answer has too; `nil` for none.
    func reviewAccess(of phone: String?, _ call: AdminCall) async throws(Refusal) -> ReviewList {
        try await user.answer(
            AdminOperations.reviewAccess, call.request(ReviewListRequest(phone: phone)), for: call.client)
    }

    /// Gives a phone number review access until a Unix second.
    func openReviewAccess(
        _ phone: String, until second: Int64, _ call: AdminCall
    ) async throws(Refusal) -> ReviewAccess {
        let request = ReviewAccessRequest(phone: phone, until: second)
        return try await user.answer(AdminOperations.openReviewAccess, call.request(request), for: call.client)
    }

    func endReviewAccess(_ phone: String, _ call: AdminCall) async throws(Refusal) -> EndedReview {
        try await user.answer(
            AdminOperations.endReviewAccess, call.request(NumberRequest(phone: phone)), for: call.client)
    }

    func clearReview(of id: String, _ call: AdminCall) async throws(Refusal) {
        _ = try await user.answer(
            AdminOperations.clearReview, call.request(ClearReviewRequest(userID: id)), for: call.client)
    }

    /// Returns a token with which the administrator acts as the user.
    func act(as id: String, _ call: AdminCall) async throws(Refusal) -> ActingToken {
        try await user.answer(AdminOperations.act, call.request(FindUserRequest(key: id)), for: call.client)
    }

    func invite(_ request: InviteRequest, _ call: AdminCall) async throws(Refusal) -> InviteAnswer {
        try await user.answer(AdminOperations.invite, call.request(request), for: call.client)
    }
}

/// An administrator's request.
struct AdminCall: Sendable {
    /// The begin of an administrator's key of the dialect `supabase`, which user-service knows.
    static let keyPrefix = "sb_secret_"
    private static let versionsMax = 8

    private(set) var client: ClientCall
    /// The reason for the audit.
    let reason: String?
    /// The versions of `If-Match`; `nil` if any version will do.
    let versions: [String]?

    /// - Throws: `.invalid` for two reasons, or an `If-Match` of too many versions.
    init(_ request: ClientRequest) throws(Refusal) {
        client = ClientCall(request)
        reason = request.head.text("latchkey-reason")
        guard reason != nil || request.head.all("latchkey-reason").isEmpty else { throw .invalid(member: "reason") }
        let fields = request.head.all("if-match").map { String(decoding: $0, as: UTF8.self) }
        let tags = fields.joined(separator: ",").split(separator: ",").map { tag in
            // A weak tag matches nothing (RFC 9110 §13.1.1).
            String(tag.filter { $0 != "\"" && $0 != " " })
        }
        guard tags.count <= Self.versionsMax else { throw .invalid(member: "If-Match") }
        versions = fields.isEmpty || tags == ["*"] ? nil : tags
    }

    /// Creates the request of the holder of a key.
    init(_ request: ClientRequest, key: String) throws(Refusal) {
        try self.init(request)
        client.credential = .token(Array(key.utf8))
    }

    func request<Body>(_ body: Body) -> AdminRequest<Body> { AdminRequest(body, reason: reason, versions: versions) }
}
