import AuthAPI
import FoundationEssentials
import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service about accounts with a password.
    static let accountOperations = [
        DurableOperation(name: "registration", process: "user") { stack, _ in
            let person = PasswordPerson(stack)
            return person.act(
                ["registrations": 1, "links": 2, "answers": 1], AccountOperations.register.path, person.registration())
        },
        DurableOperation(name: "confirmation", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.register(twin)
            let link = try await PlantedLink(.confirm, for: person.address, in: stack)
            return person.act(
                [
                    "users": 1, "identities": 1, "passwords": 1, "registrations": -1, "links": -3, "answers": 1,
                    "user.created": 1, "epochs": 1, "versions": 1,
                ], AccountOperations.confirm.path, person.uses(link, PasswordPerson.password))
        },
        DurableOperation(name: "confirmation-by-link", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.register(twin)
            let link = try await PlantedLink(.confirmByLink, for: person.address, in: stack)
            return person.act(
                [
                    "users": 1, "identities": 1, "passwords": 1, "registrations": -1, "links": -3, "answers": 1,
                    "user.created": 1, "epochs": 1, "versions": 1,
                ], AccountOperations.confirm.path, person.uses(link, nil))
        },
        DurableOperation(name: "confirmation-again", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.register(twin)
            return person.act(["answers": 1], AccountOperations.resendConfirmation.path, person.mail())
        },
        DurableOperation(name: "forgotten-password", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.signUp(twin)
            return person.act(["links": 2, "answers": 1], AccountOperations.forgotPassword.path, person.mail())
        },
        DurableOperation(name: "login", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.signUp(twin)
            return person.act(["answers": 1], AccountOperations.prove.path, person.proof()) {
                try $0.decoded(AccountAnswer.self).proof ?? "no proof"
            }
        },
        DurableOperation(name: "password-reset", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.signUp(twin)
            let session = try await person.signIn(twin)
            let link = try await PlantedLink(.reset, for: person.address, in: stack)
            return person.act(
                ["links": -1, "answers": 1, "epochs": 1, "user.password_reset": 1],
                AccountOperations.resetPassword.path, person.uses(link, PasswordPerson.other), ends: [session])
        },
        DurableOperation(name: "password-change", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.signUp(twin)
            let session = try await person.signIn(twin)
            let request = ChangePasswordRequest(
                oldPassword: PasswordPerson.password, newPassword: PasswordPerson.other,
                address: PasswordPerson.client, callID: CallID.random())
            return person.act(
                ["answers": 1, "epochs": 1, "user.password_changed": 1], AccountOperations.changePassword.path,
                request, bearer: session.accessToken, ends: [session])
        },
        DurableOperation(name: "deletion-by-password", process: "user") { stack, twin in
            let person = PasswordPerson(stack)
            try await person.signUp(twin)
            let session = try await person.signIn(twin)
            let request = DeleteByPasswordRequest(
                password: PasswordPerson.password, address: PasswordPerson.client, callID: CallID.random())
            return person.act(
                ["user.deletion_requested": 1, "deletions": 1, "epochs": 1],
                AccountOperations.deleteByPassword.path, request, bearer: session.accessToken, ends: [session])
        },
        DurableOperation(name: "administrator", process: "user") { stack, _ in
            let person = PasswordPerson(stack, caller: .control)
            let request = CreateAdminRequest(email: person.address, password: PasswordPerson.password)
            return person.act(
                [
                    "users": 1, "identities": 1, "passwords": 1, "answers": 1, "user.created": 1, "epochs": 1,
                    "versions": 1,
                ], AccountOperations.createAdmin.path, request
            ) { try $0.decoded(CreatedUser.self).userID }
        },
        DurableOperation(name: "invitation", process: "user") { stack, _ in
            let person = PasswordPerson(stack, caller: .control)
            var act = person.act(
                ["invitations": 1, "links": 1, "answers": 1], AccountOperations.invite.path,
                InviteRequest(to: person.address, role: "editor"))
            // Asked for again it is another invitation, in the first one's place.
            act.repeated = ["answers"]
            return act
        },
    ]
}

/// Somebody with an address and a password, who asks user-service alone.
private struct PasswordPerson: Sendable {
    static let password = "correct horse battery"
    static let other = "quite another one"
    static let client = "127.0.0.1"

    let address = LatchkeyStack.freshAddress()
    private let stack: LatchkeyStack
    private let caller: Caller

    init(_ stack: LatchkeyStack, caller: Caller = .gateway) { (self.stack, self.caller) = (stack, caller) }

    func registration() -> RegisterRequest {
        RegisterRequest(
            email: address, password: Self.password, name: "Betty", locales: [], address: Self.client,
            callID: CallID.random())
    }

    func mail() -> AccountMailRequest {
        AccountMailRequest(email: address, locales: [], address: Self.client, callID: CallID.random())
    }

    func uses(_ link: PlantedLink, _ password: String?) -> AccountLinkRequest {
        AccountLinkRequest(token: link.token, password: password, address: Self.client, callID: CallID.random())
    }

    func proof() -> PasswordProofRequest {
        PasswordProofRequest(email: address, password: Self.password, address: Self.client, callID: CallID.random())
    }

    func register(_ twin: ProcessTwin.Running) async throws {
        try await done(AccountOperations.register.path, registration(), twin)
    }

    /// Has the account.
    func signUp(_ twin: ProcessTwin.Running) async throws {
        try await register(twin)
        let link = try await PlantedLink(.confirm, for: address, in: stack)
        try await done(AccountOperations.confirm.path, uses(link, Self.password), twin)
    }

    func signIn(_ twin: ProcessTwin.Running) async throws -> TokenSet {
        let verified = try await done(AccountOperations.prove.path, proof(), twin)
        let request = ResolveRequest(attestation: verified.proof ?? "", name: nil)
        let resolved = try await service(twin.service).post("user", UserOperations.resolve.path, request)
            .decoded(ResolveAnswer.self)
        let issue = IssueRequest(grant: resolved.grant, dialect: "native")
        return try await ServiceCaller(stack: stack).post("token", TokenOperations.issue.path, issue).decoded()
    }

    @discardableResult
    private func done(_ path: String, _ body: some Encodable, _ twin: ProcessTwin.Running) async throws -> AccountAnswer
    {
        let answer = try await service(twin.service).post("user", path, body)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: path, answer) }
        let decoded: AccountAnswer = try answer.decoded()
        guard decoded.result == .done || decoded.result == .proved else { throw UnexpectedAnswer(to: path, answer) }
        return decoded
    }

    private func service(_ client: TestHTTPClient) -> ServiceCaller {
        ServiceCaller(stack: stack, caller: caller, client: client)
    }

    /// One request, the same each time.
    func act(
        _ changes: [String: Int], _ path: String, _ body: some Encodable & Sendable, bearer: String? = nil,
        ends: [TokenSet] = [], gain: (@Sendable (HTTPAnswer) throws -> String)? = nil
    ) -> InterruptedAct {
        InterruptedAct(
            changes: changes, records: { try DatabaseCheck(of: stack).records(ofIdentity: address) },
            perform: { client in
                try await service(client).send(
                    "POST", "user", path, body: Array(try JSONEncoder().encode(body)), accessToken: bearer)
            },
            gain: gain ?? { try String(describing: $0.decoded(AnyResult.self).result) }, ends: ends)
    }

    /// The one member that any of these responses may have.
    private struct AnyResult: Decodable { var result: AccountAnswer.Result? }
}
