import EmailAddresses
import InternalAPI
import Passwords

/// Creates a user on request of an administrator, by the rules of an import. A person who is a user already is refused.
struct CreateUser: Sendable {
    var act: AccountAct
    let rules: ImportUsers
    let tags: CallTags
    /// Sets passwords; `nil` if the policy has none.
    let accounts: AccountParts?

    typealias Outcome = OperationOutcome<UserID, AdminChangeRefusal>

    /// - Throws: `InvalidInput` for a member of the request; `StorageError`.
    func callAsFunction(_ request: CreateUserRequest, requestID: String?) async throws -> Outcome {
        let origin = RequestOrigin.byOperator(requestID)
        let newcomer = try newcomer(request, try await hash(of: request))
        let call = tags.tag(AdminOperations.create.path, callID: request.callID, body: [origin.method ?? ""])
        let subjects = newcomer.identitySubjects + [.user(newcomer.user.id)]
        let questions = subjects.enumerated().map { index, subject in
            UserQuestion(subject, call: index == 0 ? call : nil, askedAt: act.now())
        }
        let reply = try await act.reply(questions) { facts, _ in
            guard Self.isFree(newcomer, facts) else {
                let holder = facts.lazy.compactMap { $0.holder ?? $0.claimant?.user }.first
                return .refused(.identityInUse, [.audit(.lookUp("create: taken", of: holder, origin))])
            }
            return Verdict(
                AccountReply(answer: AccountAnswer(.done), user: newcomer.user.id),
                newcomer.changes(on: facts.bySubject, origin, as: .created, detail: "role \(newcomer.user.role)"))
        }
        guard reply.answer.result == .done, let user = reply.user else { return .refused(.taken) }
        return .answer(user)
    }

    /// The user under an id of their own. Unlike an import, a repeat of the administrator's is another user's creation.
    private func newcomer(_ request: CreateUserRequest, _ hash: String?) throws(InvalidInput) -> ImportedNewcomer {
        guard request.phone != nil || request.email != nil else { throw InvalidInput(member: "phone") }
        let user = ImportedUser(
            id: request.id ?? UserID.new().text(prefix: rules.userIDPrefix), email: request.email,
            emailVerified: request.emailVerified, phone: request.phone, name: request.name, role: request.role,
            isActive: request.isActive, passwordHash: hash, metadata: request.metadata)
        let newcomer = try rules.reading(user, now: act.now()).newcomer
        // An import adds such a user without a password. Here the caller learns that it has no known form.
        guard newcomer.password != nil || hash == nil else { throw InvalidInput(member: "passwordHash") }
        return newcomer
    }

    /// Returns the hash of the request's password, or the one that it states; `nil` if there is neither.
    private func hash(of request: CreateUserRequest) async throws -> String? {
        guard let typed = request.password else { return request.passwordHash }
        guard request.passwordHash == nil, let accounts, let address = accounts.address(request.email ?? "")?.text,
            let password = accounts.newPassword(typed, for: address)
        else { throw InvalidInput(member: "password") }
        return try await accounts.hasher.hash(password).text
    }

    /// Whether no user has one of the identities, and no change that has begun gives one to a user.
    private static func isFree(_ newcomer: ImportedNewcomer, _ facts: [UserFacts]) -> Bool {
        facts.allSatisfy(\.pending.isEmpty)
            && ImportVerdict.judge(newcomer, ImportFacts(newcomer, facts.bySubject)) == .added
    }
}

extension ImportedNewcomer {
    /// The queries of the identities, of which there is at least one.
    fileprivate var identitySubjects: [UserQuestion.Subject] {
        (identities + (claim.map { [$0] } ?? [])).map { .identity($0) }
    }
}
