import AuthAPI
import FoundationEssentials
import InternalAPI
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// Each operation of the API documents, requested by each kind of caller: the status follows from the document's security and
    /// from whose data it is, and nothing of another user is read or changed.
    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        .stack(["LATCHKEY_FAKES": "1", "LATCHKEY_POLICY": AccessMatrixPolicy.written()]))
    struct AccessMatrixTests {
        /// The password of the examples, whose bodies are sent as they are.
        private static let password = "correct horse battery"

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private struct Person {
            let id: String
            let address: String
            let token: String
            let session: String
            /// The id of the only identity.
            let identity: String
            /// The texts that no other user may learn.
            var secrets: [String] { [id, address, session, identity] }
        }

        private func person(_ caller: MatrixCaller = .owner, role: String? = nil) async throws -> Person {
            let user = try await stack.newPasswordUser(password: Self.password)
            var signIn = user.signIn
            if let role = caller == .administrator ? "admin" : role {
                try await stack.change(signIn.user.id, role: role)
                signIn = try await stack.logIn(user.address, Self.password).decoded()
            }
            let session = try TokenParts(signIn.tokens.accessToken).claims["sid"]?.stringValue
            let list = try await stack.gateway.get("/users/me/identities", bearer: signIn.tokens.accessToken)
            let identities: IdentityList = try list.decoded()
            return Person(
                id: signIn.user.id, address: user.address, token: signIn.tokens.accessToken,
                session: try #require(session), identity: try #require(identities.identities.first?.id))
        }

        /// Returns a token with which a person with the policy's role acts as a user.
        private func act(as user: Person, _ support: Person) async throws -> String {
            let answer = try await stack.gateway.send(
                "POST", "/admin/users/\(user.id)/act",
                headers: [("Authorization", "Bearer \(support.token)"), ("Latchkey-Reason", "ticket 7")], body: [])
            try #require(answer.status == 200, "\(answer.text)")
            return try answer.decoded(ActingToken.self).accessToken
        }

        /// Returns the profile and the sessions as their user sees them.
        private func state(of person: Person) async throws -> String {
            let user = try await stack.gateway.get("/users/me", bearer: person.token)
            let sessions = try await stack.gateway.get("/sessions", bearer: person.token)
            return "\(user.status) \(user.text)\n\(sessions.status) \(sessions.text)"
        }

        private func send(
            _ operation: DocumentedOperation, of owner: Person, token: String?
        ) async throws -> HTTPAnswer {
            let host = operation.dialect == "native" ? [] : [("Host", "\(operation.dialect).example.com")]
            let id = operation.isForAdministrators ? owner.id : operation.isOfIdentity ? owner.identity : owner.session
            let path = operation.pathWithQuery.replacing("{id}", with: id).replacing("{session}", with: owner.session)
                .replacing("{name}", with: "acme")
            return try await stack.gateway.send(
                operation.method, path,
                headers: host + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                    + (operation.body == nil ? [] : [("Content-Type", "application/json")]),
                body: operation.body.map { Array($0.utf8) })
        }

        @Test func `each caller gets what the document says, and nothing of another`() async throws {
            let (anna, revoked) = (try await person(), try await person())
            _ = try await stack.gateway.post("/auth/logout", "{}", bearer: revoked.token)
            try await Task.sleep(for: .milliseconds(200))
            let parts = (anna.token.split(separator: "."), revoked.token.split(separator: "."))
            let forged = "\(parts.0[0]).\(parts.0[1]).\(parts.1[2])"
            let support = try await person(role: "support")
            let client = try await ClientUnderTest(stack, role: "admin")
            let acting = try await act(as: anna, support)
            let before = try await state(of: anna)
            let operations = try DocumentedOperation.all()
            #expect(operations.count { $0.needsToken } > 12 && operations.count > 60)
            for operation in operations {
                for caller in MatrixCaller.callers(of: operation) {
                    let person = caller.isSignedIn && operation.needsToken ? try await self.person(caller) : nil
                    let token =
                        switch caller {
                        case .garbage: "garbage"
                        case .forged: forged
                        case .revoked: revoked.token
                        case .client: try await client.token()
                        // An operation that needs no token may end the session of one, as a sign-out does.
                        case .acting: operation.needsToken ? acting : try await act(as: revoked, support)
                        case .another where person == nil: try await stack.openSession().accessToken
                        default: person?.token
                        }
                    let answer = try await send(
                        operation, of: (caller == .owner ? person : nil) ?? anna, token: token)
                    let exchange = "\(operation) by \(caller): \(answer.status) \(answer.text.prefix(200))"
                    #expect(caller.expects(answer.status, of: operation), "\(exchange)")
                    let mayRead = operation.isForAdministrators && [.administrator, .client].contains(caller)
                    #expect(mayRead || !anna.secrets.contains { answer.text.contains($0) }, "\(exchange)")
                    try #require(try await state(of: anna) == before, "\(exchange)")
                }
            }
            #expect(try await stack.logIn(anna.address, Self.password).status == 200)
        }
    }
}
