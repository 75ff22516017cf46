import FoundationEssentials
import InternalAPI
import Logging

/// Shows users to the operator: the user with a phone number, an email address, an id or a provider's account, or all users page
/// by page. It also shows invitations.
///
/// There is no search for parts, so that a part of a phone number does not reveal its possible owners.
struct LookUpUsers: Sendable {
    var store: any UserStore
    let queries: any UserQueries
    let tokenService: ServiceClient
    let otpService: ServiceClient
    let userIDPrefix: String
    let attributes: AttributeRules
    /// The region of phone numbers without a calling code, or `nil` if they are invalid.
    let defaultRegion: String?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    typealias Outcome = OperationOutcome<UserSummary, UserRefusal>

    /// - Throws: `InvalidInput` for a key that is neither an id nor a whole identity; `StorageError`.
    func callAsFunction(_ request: FindUserRequest, requestID: String?) async throws -> Outcome {
        guard let key = key(request) else { throw InvalidInput.key }
        let seen = try await queries.find(key)
        try await note(seen == nil ? "find: nobody" : "find", of: seen?.user, requestID)
        guard let seen else {
            guard case .id(let id) = key, let merged = try await queries.merged(id) else {
                return try await unknown(key)
            }
            return .answer(UserSummary(merged, idPrefix: userIDPrefix))
        }
        var facts = await facts([seen])[0]
        facts.metadata = seen.user.metadata.orNil
        if let email = facts.email { facts.mail = await mailStanding(of: email) }
        let pending = try await queries.pendingChanges(of: seen.user.id)
        facts.version = seen.user.tag(pending)
        facts.pending = pending.isEmpty ? nil : pending.map { summary($0, of: seen.user.id) }
        return .answer(facts)
    }

    /// - Throws: `InvalidInput` for an invalid limit or cursor; `StorageError`.
    func callAsFunction(_ request: ListUsersRequest, requestID: String?) async throws -> UserPage {
        let page = try PageRequest(request, idPrefix: userIDPrefix)
        let seen = try await queries.page(behind: page.last, limit: page.limit)
        try await note("list: \(seen.count)", requestID)
        let users = await facts(seen)
        let invitations =
            request.cursor == nil ? try await queries.invitations(limit: UserPage.usersMax, now: now()) : nil
        return UserPage(
            users: users, next: page.next(behind: users), invitations: invitations?.map(InvitationSummary.init))
    }

    /// Records the query before anything is shown.
    private func note(_ detail: String, of user: User? = nil, _ requestID: String?) async throws {
        try await store.note([.audit(.lookUp(detail, of: user, .byOperator(requestID)))], now: now())
    }

    /// Refuses a key without a user; the sentence says so if the person is invited.
    private func unknown(_ key: UserKey) async throws -> Outcome {
        guard case .identity(let identity) = key,
            let invitation = try await queries.invitation(of: identity, now: now())
        else { return .refused(.notFound) }
        let end = Date(timeIntervalSince1970: Double(invitation.expiresAt)).formatted(.iso8601)
        return .refused(
            .notFound,
            title: "There is no such user yet, but an invitation with the role \(invitation.role) until \(end)")
    }

    private func key(_ request: FindUserRequest) -> UserKey? {
        let text = request.key
        if request.isLegacyID == true {
            return (1...ImportUsers.legacyIDLengthMax).contains(text.count) ? .legacyID(text) : nil
        }
        if let id = UserID(text: text, prefix: userIDPrefix) { return .id(id) }
        let identity = VerifiedIdentity(atProvider: text) ?? VerifiedIdentity(typed: text, region: defaultRegion)
        return identity.map { .identity($0) }
    }

    private func facts(_ seen: [SeenUser]) async -> [UserSummary] {
        var facts = seen.map { UserSummary($0, idPrefix: userIDPrefix, attributes: attributes) }
        guard let counts = await sessionCounts(facts.map(\.id)) else { return facts }
        for (index, count) in zip(facts.indices, counts) { facts[index].sessionCount = count }
        return facts
    }

    private func summary(_ change: PendingChange, of user: UserID) -> PendingSummary {
        let isMerged = change.other == user
        let kind: PendingSummary.Kind =
            switch change.kind {
            case .phone: .phone
            case .merge: .merge
            case .secondFactor: .secondFactor
            case .inactivity: .inactivity
            }
        return PendingSummary(
            kind, movesAt: change.movesAt, number: change.number,
            from: isMerged ? nil : change.other?.text(prefix: userIDPrefix),
            into: isMerged ? change.user.text(prefix: userIDPrefix) : nil)
    }

    /// The number of sessions of each user, or `nil` if token-service does not respond. The users are shown without it then.
    private func sessionCounts(_ userIDs: [String]) async -> [Int]? {
        do throws(ServiceUnavailable) {
            let outcome = try await tokenService.call(
                TokenOperations.sessionCounts, SessionCountsRequest(userIDs: userIDs), requestID: nil)
            guard case .answer(let answer) = outcome, answer.counts.count == userIDs.count else { return nil }
            return answer.counts
        } catch {
            logger.warning("session_counts.unavailable", metadata: ["cause": "\(error)"])
            return nil
        }
    }

    /// The standing of mails to the email address, or `nil` if otp-service does not respond. The user is shown without it then.
    private func mailStanding(of address: String) async -> MailStanding? {
        do throws(ServiceUnavailable) {
            let outcome = try await otpService.call(
                OTPOperations.mailStanding, MailAddressRequest(to: address), requestID: nil)
            guard case .answer(let standing) = outcome else { return nil }
            return standing
        } catch {
            logger.warning("mail_standing.unavailable", metadata: ["cause": "\(error)"])
            return nil
        }
    }
}

extension UserSummary {
    init(_ seen: SeenUser, idPrefix: String, attributes rules: AttributeRules, pending: [PendingChange] = []) {
        let user = seen.user
        self.init(
            id: user.id.text(prefix: idPrefix), phoneNumber: user.phone, email: user.email, name: user.name,
            role: user.role, isActive: user.isActive, createdAt: user.createdAt, lastSignInAt: seen.lastSignInAt,
            deletionDueAt: user.deletion?.dueAt, attributes: rules.shown(user.attributes),
            isForReview: user.isForReview ? true : nil,
            identities: seen.identities.isEmpty ? nil : seen.identities.compactMap(\.atProvider),
            legacyID: user.legacyID, updatedAt: user.updatedAt, version: user.tag(pending))
    }
}

extension UserSummary {
    fileprivate init(_ merged: MergedUser, idPrefix: String) {
        self.init(
            id: merged.id.text(prefix: idPrefix), phoneNumber: nil, name: nil, role: User.defaultRole, isActive: false,
            createdAt: merged.createdAt, lastSignInAt: nil, deletionDueAt: nil, sessionCount: 0,
            mergedInto: merged.into.text(prefix: idPrefix))
    }
}

extension InvitationSummary {
    fileprivate init(_ invitation: Invitation) {
        self.init(to: invitation.identity.value, role: invitation.role, expiresAt: invitation.expiresAt)
    }
}
