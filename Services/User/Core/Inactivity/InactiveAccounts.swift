import CryptoPrimitives
import InternalAPI
import Policies

/// Finds the users who were away for long, and tells them that their accounts will be removed.
struct InactiveAccounts: Sendable {
    /// The most users about whom one turn asks the other services.
    static let usersPerTurnMax = 64

    /// A user who was away for long.
    struct Person: Sendable, Equatable {
        let quiet: QuietUser
        /// Everything by which a notice reaches the user.
        let recipients: [VerifiedIdentity]
    }

    let rule: InactivityRule
    let store: any UserStore
    let queries: any UserQueries
    let courier: OutboxCourier
    let notices: AccountNotices
    let userIDPrefix: String

    /// Returns `nil` if the policy removes no such accounts.
    init?(_ policy: Policy, _ storage: UserStorage, _ courier: OutboxCourier) {
        guard let inactive = policy.accounts.inactive else { return nil }
        (rule, store, queries) = (InactivityRule(policy: inactive), storage.users, storage.queries)
        (self.courier, userIDPrefix) = (courier, policy.userIDPrefix)
        notices = .ofChanges(policy, courier.seal)
    }

    /// Returns the next users who were away for long, in the order of their ids, and the id where the next turn begins.
    ///
    /// - Throws: `StorageError`; `ServiceUnavailable`, since without an answer nobody counts as away.
    func turn(behind last: UserID?, now: Int64) async throws -> (people: [Person], next: UserID?) {
        let start = rule.start(now)
        let page = try await queries.quietUsers(behind: last, unusedSince: start, limit: Self.usersPerTurnMax)
        var people: [Person] = []
        for quiet in page.users {
            guard try await !isUsed(quiet.user.id, since: start) else { continue }
            people.append(Person(quiet: quiet, recipients: try await recipients(of: quiet.user)))
        }
        return (people, page.next)
    }

    /// Whether token-service knows a use of the account since a Unix time in seconds, or cannot know.
    func isUsed(_ user: UserID, since start: Int64) async throws -> Bool {
        let request = NewestUseRequest(userID: user.text(prefix: userIDPrefix))
        let outcome = try await courier.tokenService.call(TokenOperations.newestUse, request, requestID: nil)
        guard case .answer(let newest) = outcome else {
            throw ServiceUnavailable(service: "token", reason: "it refused the query")
        }
        return InactivityRule.isUsed(newest, since: start)
    }

    /// Everything by which a notice reaches the user; without an email address at which nothing arrives.
    private func recipients(of user: User) async throws -> [VerifiedIdentity] {
        var reached: [VerifiedIdentity] = []
        for recipient in notices.recipients(of: user) {
            if recipient.kind == .email {
                let outcome = try await courier.otpService.call(
                    OTPOperations.mailStanding, MailAddressRequest(to: recipient.value), requestID: nil)
                guard case .answer(let standing) = outcome else {
                    throw ServiceUnavailable(service: "otp", reason: "it refused the query")
                }
                if standing.block == .undeliverable { continue }
            }
            reached.append(recipient)
        }
        return reached
    }

    /// Tells a user that the account will be removed, and begins the time until then.
    ///
    /// - Returns: `false` if the account stays: no notice reaches the user, or the stored facts are others by now.
    func tell(_ person: Person, now: Int64) async throws -> Bool {
        let (rule, notices, reached) = (rule, notices, person.recipients)
        guard !reached.isEmpty || rule.policy.withoutNotice else { return false }
        let question = UserQuestion(.identities(person.quiet.user.id), askedAt: now)
        return try await store.decide(question) { facts, now in
            guard let user = facts.holder,
                InactivityRule.reasonToStay(facts, unusedSince: rule.start(now)) == nil,
                !facts.pending.contains(where: { $0.kind == .inactivity }),
                Set(reached).isSubset(of: notices.recipients(of: user))
            else { return Verdict(false) }
            let removal = PendingChange(
                id: UUIDText.random(), kind: .inactivity, user: user.id, sealed: "", createdAt: now,
                movesAt: rule.removal(toldAt: now))
            let detail = reached.isEmpty ? "no channel" : nil
            return Verdict(
                true,
                [.addPending(removal), .audit(AuditEntry(.inactivityNoticed, user, RequestOrigin(), detail: detail))]
                    + (try notices.ofInactivity(to: reached, user.id, removedAt: rule.removal(toldAt: now), now)))
        }
    }
}
