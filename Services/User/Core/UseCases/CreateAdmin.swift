import EmailAddresses
import InternalAPI
import Passwords

/// Creates the first administrator on request of the operator: a user with an email address, a password and the role `admin`.
struct CreateAdmin: Sendable {
    static let role = User.administratorRole

    let accounts: AccountParts

    typealias Outcome = OperationOutcome<CreatedUser, CreateAdminRefusal>

    /// A repeat with the same password has the same outcome.
    ///
    /// - Throws: `InvalidInput` for an invalid email address; `PasswordHasher.Busy`, `StorageError`.
    func callAsFunction(_ request: CreateAdminRequest, requestID: String?) async throws -> Outcome {
        guard let address = accounts.address(request.email)?.text else { throw InvalidInput.address }
        guard let password = accounts.newPassword(request.password, for: address) else {
            return .refused(.weakPassword)
        }
        let hash = try await accounts.hasher.hash(password).text
        let origin = RequestOrigin.byOperator(requestID)
        let newcomer = Newcomer.new(role: Self.role)
        let call = accounts.tags.tag(AccountOperations.createAdmin.path, callID: CallID.random(), body: [address])
        let answer = try await accounts.act(.address(address), call) { facts, now in
            guard facts.holder == nil, facts.claimant?.isDeactivated != true else {
                return .refused(.invalidEmail, [.audit(.lookUp("create-admin", of: facts.holder, origin))])
            }
            let password = StoredPassword(hash: hash, version: StoredPassword.newVersion())
            return .done(try accounts.owning(address, by: newcomer, with: password, facts, origin, now).changes)
        }
        let facts = try await accounts.act.facts(.address(address), nil)
        guard let user = facts.holder, user.role == Self.role else { return .refused(.addressTaken) }
        if answer.result != .done {
            let isSame = try await accounts.hasher.verifies(
                password, against: facts.password.flatMap { StoredHash($0.hash) })
            guard isSame else { return .refused(.addressTaken) }
        }
        return .answer(CreatedUser(userID: user.id.text(prefix: accounts.takeover.userIDPrefix)))
    }
}
