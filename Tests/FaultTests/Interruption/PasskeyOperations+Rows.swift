import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service when users add, use and remove passkeys.
    static let passkeyOperations = [
        DurableOperation(name: "passkey-added", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let (authenticator, request) = try await account.newPasskey(at: twin.service)
            var act = account.act(
                [
                    "user passkeys": 1, "user resolutions": 1, "user answers": 1, "user links": 1,
                    "user passkey.added": 1,
                ], PasskeyOperations.addOwn.path, request)
            act.gain = { try $0.decoded(AccountAnswer.self).passkey?.id ?? "no passkey" }
            act.aftermath = { try await account.findings(signingInBy: authenticator, at: $0) }
            return act
        },
        DurableOperation(name: "passkey-sign-in", process: "user") { stack, twin in
            let owner = try await PasskeyOwner(stack, twin)
            let request = try await owner.assertion(at: twin.service)
            var act = owner.account.act(["user resolutions": 1, "user used passkeys": 1], "", NoBody())
            act.perform = { try await PasskeyOwner.signIn(request, stack, $0) }
            act.gain = { try $0.decoded(ResolveAnswer.self).user.id }
            act.aftermath = { service in
                // One assertion makes one session, also after the process was killed.
                let other = PasskeyProofRequest(passkey: request.passkey, callID: CallID.random())
                let answer = try await PasskeyOwner.signIn(other, stack, service)
                return answer.status == 200 ? ["an assertion signs in by another call"] : []
            }
            return act
        },
        DurableOperation(name: "passkey-step-up", process: "user") { stack, twin in
            let owner = try await PasskeyOwner(stack, twin)
            let options = try await owner.account
                .post(PasskeyOperations.beginStepUp.path, NoBody(), to: twin.service).passkeyOptions()
            let request = ReauthenticateRequest(
                passkey: try owner.authenticator.assertion(for: options), address: "127.0.0.1", callID: CallID.random())
            var act = owner.account.act(
                ["user resolutions": 1, "user used passkeys": 1], UserOperations.reauthenticate.path, request)
            act.gain = { "\(try $0.decoded(ReauthenticateAnswer.self).result)" }
            return act
        },
        DurableOperation(name: "passkey-removed", process: "user") { stack, twin in
            let owner = try await PasskeyOwner(stack, twin)
            let session = try await owner.signIn(at: twin.service)
            var act = owner.account.act(
                [
                    "user passkeys": -1, "user used passkeys": -1, "user answers": 1, "user links": 1,
                    "user decisions": 1, "user epochs": 1, "user versions": 1, "user passkey.removed": 1,
                ], PasskeyOperations.removeOwn.path, RemovePasskeyRequest(id: owner.id, callID: CallID.random()),
                ends: [session])
            act.aftermath = { service in
                let found = try await owner.account.findings(signingInBy: owner.authenticator, at: service)
                return found.isEmpty ? ["a removed passkey signs in"] : []
            }
            return act
        },
    ]
}

/// A user with a passkey.
struct PasskeyOwner: Sendable {
    let account: Account
    let authenticator: SoftwareAuthenticator
    /// The passkey's id in the list.
    let id: String

    init(_ stack: LatchkeyStack, _ twin: ProcessTwin.Running) async throws {
        account = try await Account(stack, twin)
        let (authenticator, request) = try await account.newPasskey(at: twin.service)
        let answer = try await account.post(PasskeyOperations.addOwn.path, request, to: twin.service)
        guard let passkey = try answer.decoded(AccountAnswer.self).passkey else {
            throw UnexpectedAnswer(to: PasskeyOperations.addOwn.path, answer)
        }
        (self.authenticator, id) = (authenticator, passkey.id)
    }

    /// Makes an assertion that signs in.
    func assertion(at service: TestHTTPClient) async throws -> PasskeyProofRequest {
        try await account.assertion(of: authenticator, at: service)
    }

    /// Presents an assertion and resolves what it proves.
    static func signIn(
        _ request: PasskeyProofRequest, _ stack: LatchkeyStack, _ service: TestHTTPClient
    ) async throws -> HTTPAnswer {
        let caller = ServiceCaller(stack: stack, client: service)
        let answer = try await caller.post("user", PasskeyOperations.prove.path, request)
        guard answer.status == 200 else { return answer }
        let proof = try answer.decoded(IdentityTokenAnswer.self).proof ?? "no proof"
        return try await Account.resolve(proof, stack, service)
    }

    func signIn(at service: TestHTTPClient) async throws -> TokenSet {
        let resolved = try await Self.signIn(assertion(at: service), account.stack, service)
            .decoded(ResolveAnswer.self)
        let issue = IssueRequest(grant: resolved.grant, dialect: "native")
        return try await ServiceCaller(stack: account.stack)
            .post("token", TokenOperations.issue.path, issue).decoded()
    }
}

extension Account {
    /// A new authenticator, and the request that registers its passkey.
    fileprivate func newPasskey(
        at service: TestHTTPClient
    ) async throws -> (authenticator: SoftwareAuthenticator, request: AddPasskeyRequest) {
        let options = try await post(
            PasskeyOperations.beginOwn.path, BeginOwnPasskeyRequest(kind: .passkey), to: service
        ).passkeyOptions()
        let authenticator = try SoftwareAuthenticator(for: options)
        return (authenticator, try authenticator.registration(for: options))
    }

    fileprivate func assertion(
        of authenticator: SoftwareAuthenticator, at service: TestHTTPClient
    ) async throws -> PasskeyProofRequest {
        let options = try await ServiceCaller(stack: stack, client: service)
            .post("user", PasskeyOperations.begin.path, BeginPasskeyRequest(.signIn)).passkeyOptions()
        return PasskeyProofRequest(passkey: try authenticator.assertion(for: options), callID: CallID.random())
    }

    /// Returns a finding unless a passkey signs in to the account.
    fileprivate func findings(
        signingInBy authenticator: SoftwareAuthenticator, at service: TestHTTPClient
    ) async throws -> [String] {
        let answer = try await PasskeyOwner.signIn(assertion(of: authenticator, at: service), stack, service)
        let user = answer.status == 200 ? try answer.decoded(ResolveAnswer.self).user.id : nil
        return user == id ? [] : ["the passkey does not sign in"]
    }
}

extension HTTPAnswer {
    /// The options of a ceremony.
    fileprivate func passkeyOptions() throws -> PasskeyOptions {
        guard status == 200, let options = try decoded(PasskeyOptionsAnswer.self).options else {
            throw UnexpectedAnswer(to: "a request for options", self)
        }
        return options
    }
}
