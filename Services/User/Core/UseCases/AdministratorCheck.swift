import InternalAPI
import ServiceKit

/// Decides by a user's own row whether they are an administrator, since a token may be outdated.
///
/// Requests of other users are recorded, once an hour on each replica.
struct AdministratorCheck: Sendable {
    let store: any UserStore
    let queries: any UserQueries
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    private let refusals = RecentRecords<UserID>()
    private let refusedClients = RecentRecords<String>()

    init(store: any UserStore, queries: any UserQueries, now: @escaping @Sendable () -> Int64) {
        (self.store, self.queries, self.now) = (store, queries, now)
    }

    /// Returns the administrator.
    ///
    /// - Parameter purpose: the detail of the record of a refusal.
    /// - Throws: `AdministratorRefusal`; `StorageError`.
    func callAsFunction(
        _ caller: SignedInUser, _ purpose: String, role: String = CreateAdmin.role, requestID: String?
    ) async throws -> User {
        let user = try await queries.bearer(caller.id)
        do throws(AdministratorRefusal) { return try Self.administrator(user, role: role) } catch {
            if error.code == .forbidden, let user {
                try await note(user, purpose, RequestOrigin(requestID: requestID, sessionID: caller.sessionID))
            }
            throw error
        }
    }

    /// Returns the origin of the request of a user or client who has the role, which is mostly that of administrators, without a reason.
    ///
    /// - Throws: `AdministratorRefusal`; `StorageError`.
    func origin(
        of caller: AdminCaller, _ purpose: String, role: String, requestID: String?
    ) async throws -> RequestOrigin {
        switch caller {
        case .user(let caller):
            let admin = try await self(caller, purpose, role: role, requestID: requestID)
            return .by(admin, sessionID: caller.sessionID, reason: nil, requestID: requestID)
        case .client(let caller):
            let row = try await store.facts(UserQuestion(.client(caller.id), askedAt: now())).client
            do throws(AdministratorRefusal) {
                return .by(try caller.administrator(row, role: role), requestID: requestID)
            } catch {
                if error.code == .forbidden, let row { try await note(row, purpose, requestID) }
                throw error
            }
        case .key(let name):
            try caller.require(nil, role: role)
            return .byKey(name, requestID: requestID)
        }
    }

    /// Returns the user of a bearer's row if they may act and have the role.
    static func administrator(_ user: User?, role: String) throws(AdministratorRefusal) -> User {
        guard let user else { throw AdministratorRefusal(.invalidToken) }
        guard user.isActive else { throw AdministratorRefusal(.accountInactive) }
        guard user.deletion == nil else { throw AdministratorRefusal(.invalidToken) }
        guard user.role == role else { throw AdministratorRefusal(.forbidden) }
        return user
    }

    private func note(_ user: User, _ purpose: String, _ origin: RequestOrigin) async throws {
        let now = now()
        try await refusals.once(user.id, now: now) {
            try await store.note([.audit(AuditEntry(.lookRefused, user, origin, detail: purpose))], now: now)
            return true
        }
    }
}

extension AdministratorCheck {
    private func note(_ client: APIClient, _ purpose: String, _ requestID: String?) async throws {
        let now = now()
        try await refusedClients.once(client.id, now: now) {
            let origin = RequestOrigin.by(client, requestID: requestID)
            let entry = AuditEntry(event: .lookRefused, subject: .zero, origin: origin, detail: purpose)
            try await store.note([.audit(entry)], now: now)
            return true
        }
    }
}

/// Why a request of an administrator is not carried out.
struct AdministratorRefusal: Error, Equatable {
    let code: RefusalCode

    init(_ code: RefusalCode) { self.code = code }
}
