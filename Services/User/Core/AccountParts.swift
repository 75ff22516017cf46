import CallDeadlines
import CryptoPrimitives
import EmailAddresses
import InternalAPI
import Passwords
import Policies
import ServiceKit

/// The parts of the use cases of accounts with a password, and the steps that several of them share.
struct AccountParts: Sendable {
    let passwords: PasswordPolicy
    let registration: AccountPolicy.Registration
    let change: PasswordChangePolicy
    let act: AccountAct
    let check: CheckPassword
    let notices: AccountNotices
    let tags: CallTags
    let takeover: AccountTakeover
    let proofKeys: KeyRing

    var hasher: PasswordHasher { check.hasher }
    var limits: GuessLimits { check.limits }

    /// The canonical form of an email address, or `nil` if the text is none.
    func address(_ typed: String) -> EmailAddress? {
        do throws(EmailAddressProblem) { return try EmailAddress(parsing: typed) } catch { return nil }
    }

    /// Reads a new password, or returns `nil` if the policy does not allow it for the email address.
    func newPassword(_ typed: String, for address: String) -> PasswordText? {
        PasswordText(typed).flatMap { passwords.allows($0, for: address) ? $0 : nil }
    }

    func guess(at address: String, from client: String, isBearer: Bool = false) -> PasswordGuess {
        PasswordGuess(account: address, client: IPAddress(client), isBearer: isBearer, now: act.now())
    }

    /// Counts a request for a mail, then carries it out.
    ///
    /// - Parameter act: carries out the request; without an asker it mails nothing, but takes the same time.
    /// - Throws: `GuessLimitsFailure`, and the errors of `act`; the request is not counted then.
    func mailing(
        _ purpose: AccountMail.Purpose, to address: EmailAddress, password: String? = nil, from client: String,
        _ call: CallTag, _ act: (OutboxPlace.Asker?) async throws -> AccountAnswer
    ) async throws -> AccountAnswer {
        let mail = AccountMail(
            purpose: purpose, address: address, password: password, client: IPAddress(client), call: call,
            now: self.act.now())
        switch try await limits.admit(mail) {
        case .limited(let seconds):
            return AccountAnswer(.rateLimited, limit: .sends, retryAfterSeconds: seconds)
        case .silent: return try await act(nil)
        case .admitted(let asker):
            do { return try await act(asker) } catch {
                try await CallDeadline.lifted { try await limits.forget(mail, of: asker) }
                throw error
            }
        }
    }

    /// Makes the person who verified an email address its holder, with the password that they set.
    func owning(
        _ address: String, by newcomer: Newcomer, with password: StoredPassword, _ facts: UserFacts,
        _ origin: RequestOrigin, _ now: Int64
    ) throws -> (user: User, changes: [UserChange]) {
        let (user, changes) = try takeover(of: .email(address), by: newcomer, facts, origin, now)
        return (user, changes + [.setPassword(password, of: user.id)])
    }

    /// Invalidates the codes that were requested until now. A sign-in refuses them anyway; the next request makes a new code.
    func forgetting(
        _ user: UserID, phone: String? = nil, email: String?, networks: Bool, _ now: Int64
    ) throws -> UserChange {
        let message = try notices.seal.forgetting(
            user, phone: phone, email: email, networksUntil: networks ? now : 0, codesUntil: now)
        // Due when the second is over, since codes that were requested within it are invalid too.
        return .tell(message, about: user, dueAt: now + 1)
    }

    /// The changes of a new password: the user's sessions, except the spared one, are revoked, earlier codes become invalid, and
    /// the user is notified. A reset also forgets the networks of earlier sign-ins.
    func changing(
        _ user: User, to password: StoredPassword, sparing session: String?, _ event: AuditEntry.Event,
        _ origin: RequestOrigin, _ now: Int64
    ) throws -> [UserChange] {
        let after = user.endingSessions(at: now)
        let ending = RevokeUserRequest(
            userID: user.id.text(prefix: takeover.userIDPrefix), epoch: after.epoch, reason: .passwordChange,
            sparedSession: session)
        return [
            .update(after), .setPassword(password, of: user.id), .endLinks(of: user.id),
            .audit(AuditEntry(event: event, subject: user.pseudonym, origin: origin)),
            .tell(
                try OutboxMessage(.revokeUser, encoding: ending), about: user.id,
                dueAt: now + OutboxLimits.ownAttemptSeconds),
            try forgetting(
                user.id, phone: user.phone, email: user.email, networks: event == .passwordReset, now),
        ]
            + (try notices.ofChange(.passwordChanged, to: user, now))
    }
}
