import CryptoPrimitives
import InternalAPI
import Policies

/// Finds the users who were away for long, and tells them that their accounts will be removed.
struct InactiveAccounts: Sendable {
    /// The most users of one turn about which the other services are asked.
    static let usersPerTurnMax = 64
    /// The number of waiting mails from which no turn begins, so that notices never outnumber what providers accept.
    static let waitingMax: Int64 = 128

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
        var notices = AccountNotices.ofChanges(policy, courier.seal)
        // A text message would tell the user to sign in with a number that no longer signs them in.
        if let idle = policy.recycledNumbers.idleMonths, rule.outlasts(idleMonths: idle) { notices.sendsTexts = false }
        self.notices = notices
    }

    /// Returns the next users who were away for long, in the order of their ids, and the id where the next turn begins.
    ///
    /// - Throws: `StorageError`; `ServiceUnavailable`, since without an answer no user counts as away.
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

    /// Whether few enough mails wait for another turn.
    func hasRoom() async throws -> Bool { try await courier.store.standing(.mail).pending < Self.waitingMax }

    /// Whether token-service knows a use of the account since a Unix time in seconds, or cannot know.
    func isUsed(_ user: UserID, since start: Int64) async throws -> Bool {
        let request = NewestUseRequest(userID: user.text(prefix: userIDPrefix))
        let outcome = try await courier.tokenService.call(TokenOperations.newestUse, request, requestID: nil)
        guard case .answer(let newest) = outcome else {
            throw ServiceUnavailable(service: "token", reason: "it refused the query")
        }
        return InactivityRule.isUsed(newest, since: start)
    }

    /// Returns everything by which a notice reaches the user, without email addresses at which nothing arrives and without phone
    /// numbers to which no text message goes.
    func recipients(of user: User) async throws -> [VerifiedIdentity] {
        let all = notices.recipients(of: user)
        guard !all.isEmpty else { return [] }
        let outcome = try await courier.otpService.call(
            OTPOperations.noticeRecipients, NoticeRecipients(to: all.map(\.value)), requestID: nil)
        guard case .answer(let reached) = outcome else {
            throw ServiceUnavailable(service: "otp", reason: "it refused the query")
        }
        return all.filter { reached.to.contains($0.value) }
    }
}
