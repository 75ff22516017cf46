import EmailAddresses
import InternalAPI
import Passwords
import Policies

/// Stores a request for an account, and mails the owner of the email address a link that confirms it.
///
/// The response is the same for an email address that has an account. Only its owner is notified, by mail.
struct Register: Sendable {
    /// The most open registrations of one email address. A further one replaces the oldest.
    static let openMax = 3
    /// How many seconds a registration stays open, so that its link can be replaced.
    static let lifetimeSeconds: Int64 = 7 * 86_400

    let accounts: AccountParts

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; nothing was stored then.
    func callAsFunction(_ request: RegisterRequest) async throws -> AccountAnswer {
        guard accounts.registration == .open else { return AccountAnswer(.registrationClosed) }
        guard let address = accounts.address(request.email) else { return AccountAnswer(.invalidEmail) }
        let name: DisplayName?
        do { name = try DisplayName.optional(request.name) } catch { return AccountAnswer(.invalidName) }
        guard let password = accounts.newPassword(request.password, for: address.text) else {
            return AccountAnswer(.weakPassword)
        }
        let call = accounts.tags.tag(
            AccountOperations.register.path, callID: request.callID,
            body: [address.text, request.password, name?.text ?? ""])
        if let first = try await accounts.act.repeated(try await accounts.act.facts(.address(address.text), call)) {
            return first
        }
        return try await accounts.mailing(
            .registration, to: address, password: request.password, from: request.address, call
        ) { asker in
            // Hashed in any case, so that the time of the response reveals nothing about the quota.
            let hash = try await accounts.hasher.hash(password).text
            return try await accounts.act(.address(address.text), call) { facts, now in
                guard let asker else { return .done([]) }
                if let holder = facts.holder {
                    return .done([try tell(holder, of: address, request.locales, asker, now)])
                }
                let registration = Registration(
                    id: .new(), address: address.text, passwordHash: hash, name: name?.text, createdAt: now,
                    expiresAt: now + Self.lifetimeSeconds)
                return .done(try noted(registration, facts, request, asker, now))
            }
        }
    }

    private func tell(
        _ holder: User, of address: EmailAddress, _ locales: [String], _ asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> UserChange {
        try accounts.notices.change(
            .addressKnown, to: address.text, about: holder.id, at: now, locales: locales,
            deletionAt: holder.deletion?.dueAt, for: asker, now)
    }

    private func noted(
        _ registration: Registration, _ facts: UserFacts, _ request: RegisterRequest, _ asker: OutboxPlace.Asker,
        _ now: Int64
    ) throws -> [UserChange] {
        let tooMany = facts.registrations.dropLast(Self.openMax - 1).map { UserChange.endRegistration($0.id) }
        let mail = try accounts.notices.confirmation(
            of: registration, byLink: request.linkSuffices == true && facts.isAddressEmpty, codedBy: accounts.tags,
            back: request.back, locales: request.locales, for: asker, now)
        return tooMany + [.addRegistration(registration)] + mail
    }
}
