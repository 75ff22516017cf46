import CryptoPrimitives
import InternalAPI
import Policies
import TokenCore

/// Opens sessions by the thousand in token-service's storage, with the code that opens each of its own, but signs nothing:
/// files for measurements.
struct SessionSupply: Sendable {
    /// Sessions that wait for their commits at once.
    private static let waitingMax = 2048

    private let policy: Policy
    private let store: any SessionStore
    private let openings: SessionOpenings

    /// - Parameter storageRing: `token_storage_key`.
    init(store: any SessionStore, policy: Policy, storageRing: KeyRing) {
        self.policy = policy
        self.store = store
        openings = SessionOpenings(ring: storageRing, sessionsMax: policy.sessions.perUserMax)
    }

    /// A grant that opened no session: it was spent before, or there is no such dialect.
    struct NotOpened: Error {}

    /// Opens a session for each grant.
    ///
    /// - Parameters:
    ///   - request: what the client says of itself, the same for all; its own grant does not count.
    ///   - now: Unix time in seconds.
    /// - Returns: the refresh tokens, in the grants' order.
    func open(_ grants: [Grant], as request: IssueRequest, now: Int64) async throws -> [String] {
        var tokens: [String] = []
        tokens.reserveCapacity(grants.count)
        for start in stride(from: 0, to: grants.count, by: Self.waitingMax) {
            let part = grants[start..<min(start + Self.waitingMax, grants.count)]
            tokens += try await together(part, request, now)
        }
        return tokens
    }

    private func together(
        _ grants: ArraySlice<Grant>, _ request: IssueRequest, _ now: Int64
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, grant) in grants.enumerated() {
                group.addTask { (index, try await self.open(grant, request, now)) }
            }
            var tokens = [String](repeating: "", count: grants.count)
            for try await (index, token) in group { tokens[index] = token }
            return tokens
        }
    }

    private func open(_ grant: Grant, _ request: IssueRequest, _ now: Int64) async throws -> String {
        guard let profile = policy.profile(forDialect: request.dialect) else { throw NotOpened() }
        let (opening, token) = try openings.opening(
            grant, request, nil, profile, locator: try await store.reserveLocator(), now: now)
        guard case .opened = try await store.open(opening, now: now) else { throw NotOpened() }
        return token.text(prefix: profile.refresh.prefix)
    }
}
