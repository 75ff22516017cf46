import AccessTokens
import AuthAPI
import FoundationEssentials
import InternalAPI
import StrictJSON
import Synchronization

/// token-service as user-service sees it: publishes keys, notes revocations, and is away when told so. The first user that
/// it is asked about has one session, the second two, and so on.
final class FakeTokenService: InternalTransport {
    private struct State {
        var isAway = false
        var keys: [JSONWebKey] = []
        var keyFetches = 0
        var revocations: [RevokeUserRequest] = []
        var rights: [ChangeRightsRequest] = []
        var removals: [RemoveUserRequest] = []
        var attempts = 0
        var signedInAt: Int64?
        var factors: AuthenticationFactors = .sms
        var newestUse: Int64?
        var newestUseQueries = 0
        var hasSessions = true
        var acts: [ActRequest] = []
        var exports = FakeExports()
        var audit: [AuditPage.Record] = []
        /// The users of live sessions, by their ids.
        var live: [String: String] = [:]
    }

    private let state = Mutex(State())

    var keyFetches: Int { state.withLock { $0.keyFetches } }
    /// The pages of records that it has about each user.
    func setExportPages(_ count: Int64) { state.withLock { $0.exports.pages = count } }
    /// The requests for what it stores about users.
    var exported: [TokenExportRequest] { state.withLock { $0.exports.requests } }
    /// Revocations that were confirmed.
    var revocations: [RevokeUserRequest] { state.withLock { $0.revocations } }
    /// Changes of rights that were confirmed.
    var rights: [ChangeRightsRequest] { state.withLock { $0.rights } }
    /// Removals that were confirmed.
    var removals: [RemoveUserRequest] { state.withLock { $0.removals } }
    /// Sessions that were opened in which one user acts as another.
    var acts: [ActRequest] { state.withLock { $0.acts } }
    /// Revocations that were asked for, confirmed or not.
    var attempts: Int { state.withLock { $0.attempts } }

    /// Lets the bearer's session have been authenticated at this time; `nil`: it has ended.
    func setSignedIn(at time: Int64?) { state.withLock { $0.signedInAt = time } }
    /// Lets the bearer's session have these factors.
    func setFactors(_ factors: AuthenticationFactors) { state.withLock { $0.factors = factors } }
    /// Lets each user have sessions whose newest use was at this time; `nil`: no sessions.
    func setNewestUse(_ time: Int64?) { state.withLock { $0.newestUse = time } }
    var newestUseQueries: Int { state.withLock { $0.newestUseQueries } }
    /// Whether users have sessions at all.
    func setHasSessions(_ has: Bool) { state.withLock { $0.hasSessions = has } }
    /// Sets its audit, newest first.
    func setAudit(_ records: [AuditPage.Record]) { state.withLock { $0.audit = records } }
    /// Lets a session be live, or ends it (`nil`).
    func setSession(_ id: String, of user: String?) { state.withLock { $0.live[id] = user } }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    func publish(_ keys: [SigningKey]) { state.withLock { $0.keys = keys.compactMap(\.verificationKey.jwk) } }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        // Gives callers that run at the same time the chance to ask too.
        await Task.yield()
        do {
            return try answer(request)
        } catch {
            throw ServiceUnavailable(service: "token", reason: "\(error)")
        }
    }

    private struct Away: Error {}

    private func answer(_ request: InternalRequest) throws -> InternalResponse {
        try state.withLock { state in
            switch (request.method, request.path) {
            case (.get, TokenOperations.keySet.path):
                state.keyFetches += 1
                guard !state.isAway else { throw Away() }
                return .init(status: 200, body: Array(try JSONEncoder().encode(JSONWebKeySet(keys: state.keys))))
            case (.post, TokenOperations.revokeUser.path):
                state.attempts += 1
                guard !state.isAway else { throw Away() }
                state.revocations.append(
                    try JSONDecoder().decode(RevokeUserRequest.self, from: Data(request.body)))
                return .init(status: 200, body: Array("{}".utf8))
            case (.post, TokenOperations.revokeClient.path):
                guard !state.isAway else { throw Away() }
                return .init(status: 200, body: Array("{}".utf8))
            case (.post, TokenOperations.changeRights.path):
                guard !state.isAway else { throw Away() }
                state.rights.append(
                    try StrictJSON.decode(ChangeRightsRequest.self, from: Array(request.body), limits: .own))
                return .init(status: 200, body: Array("{}".utf8))
            case (.post, TokenOperations.removeUser.path):
                guard !state.isAway else { throw Away() }
                state.removals.append(try JSONDecoder().decode(RemoveUserRequest.self, from: Data(request.body)))
                return .init(status: 200, body: Array("{}".utf8))
            case (.post, TokenOperations.sessionCounts.path):
                guard !state.isAway else { throw Away() }
                let users = try JSONDecoder().decode(SessionCountsRequest.self, from: Data(request.body)).userIDs
                let counts = SessionCounts(counts: (1..<users.count + 1).map { state.hasSessions ? $0 : 0 })
                return .init(status: 200, body: Array(try JSONEncoder().encode(counts)))
            case (.post, TokenOperations.newestUse.path):
                state.newestUseQueries += 1
                guard !state.isAway else { throw Away() }
                return .init(status: 200, body: Array(try JSONEncoder().encode(NewestUse(at: state.newestUse))))
            case (.post, TokenOperations.liveSession.path):
                guard !state.isAway else { throw Away() }
                let id = try JSONDecoder().decode(LiveSessionRequest.self, from: Data(request.body)).sessionID
                return .init(status: 200, body: Array(try JSONEncoder().encode(LiveSession(userID: state.live[id]))))
            case (.post, TokenOperations.audit.path):
                guard !state.isAway else { throw Away() }
                let request = try JSONDecoder().decode(AuditRequest.self, from: Data(request.body))
                return .init(status: 200, body: Array(try JSONEncoder().encode(Self.page(state.audit, request))))
            case (.post, TokenOperations.act.path):
                guard !state.isAway else { throw Away() }
                state.acts.append(try JSONDecoder().decode(ActRequest.self, from: Data(request.body)))
                let token = ActingToken(accessToken: "a.b.c", expiresIn: 900)
                return .init(status: 200, body: Array(try JSONEncoder().encode(token)))
            case (.post, TokenOperations.userSessions.path):
                guard !state.isAway else { throw Away() }
                let request = try JSONDecoder().decode(UserSessionsRequest.self, from: Data(request.body))
                let own = state.live.filter { $0.value == request.userID }.keys.sorted().map {
                    SessionSummary(
                        id: $0, deviceName: "iPhone", createdAt: 1, lastUsedAt: 2, address: nil, current: false)
                }
                return .init(status: 200, body: Array(try JSONEncoder().encode(SessionList(sessions: own))))
            case (.post, TokenOperations.export.path):
                guard !state.isAway else { throw Away() }
                let request = try JSONDecoder().decode(TokenExportRequest.self, from: Data(request.body))
                return .init(status: 200, body: Array(try JSONEncoder().encode(state.exports.answer(request))))
            case (.get, TokenOperations.ownAuthentication.path):
                guard !state.isAway else { throw Away() }
                guard let time = state.signedInAt, request.accessToken != nil else {
                    return .init(status: 401, body: Array(#"{"code":"invalid_token"}"#.utf8))
                }
                let authentication = SessionAuthentication(
                    authenticatedAt: time, factors: state.factors, latestFactors: state.factors)
                return .init(status: 200, body: Array(try JSONEncoder().encode(authentication)))
            default: return .init(status: 404, body: Array(#"{"code":"not_found"}"#.utf8))
            }
        }
    }
}

extension FakeTokenService {
    /// A page of the audit, as the real one finds it.
    private static func page(_ audit: [AuditPage.Record], _ request: AuditRequest) -> AuditPage {
        let found = audit.filter {
            $0.number < request.before ?? .max && $0.at >= request.since ?? .min && $0.at < request.until ?? .max
                && (request.userID == nil || $0.subject == request.userID)
        }.prefix(request.limit)
        return AuditPage(records: Array(found), next: found.count == request.limit ? found.last?.number : nil)
    }
}

/// The data of token-service about users: a session, and as many records as pages.
private struct FakeExports {
    var pages: Int64 = 1
    var requests: [TokenExportRequest] = []

    mutating func answer(_ request: TokenExportRequest) -> TokenExportPart {
        requests.append(request)
        guard request.part == .records else {
            let session = ExportedSession(
                id: "session of \(request.userID)", dialect: "native", method: "sms", deviceName: nil, address: nil,
                createdAt: 1, lastUsedAt: 2, authenticatedAt: 1, idleExpiresAt: 3, absoluteExpiresAt: nil,
                revokedFor: nil, web: nil)
            return TokenExportPart(sessions: [session])
        }
        let page = request.before ?? pages
        return TokenExportPart(
            records: [ExportedRecord(service: "token", at: page, event: "session.opened")],
            next: page > 1 ? page - 1 : nil)
    }
}
