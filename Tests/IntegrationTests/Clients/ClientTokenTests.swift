import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// The caller that the sample API was told about.
private struct Greeting: Decodable {
    let userId: String?
    let sessionId: String?
    let role: String?
    let clientId: String?
    let identity: String?
}

extension Live {
    /// The uses of a client's token, and its end.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_POLICY": ClientPolicyFile.path]))
    struct ClientTokenTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func hello(_ token: String) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: token).status
        }

        private func untilRefused(_ token: String) async throws {
            try await eventually("the gateway refuses the client") { try await hello(token) == 401 }
        }

        @Test func `a route for clients identifies the client, and nothing that a caller states`() async throws {
            let client = try await ClientUnderTest(stack)
            let token = try await client.token()
            let answer = try await stack.gateway.send(
                "GET", "/api/hello",
                headers: [
                    ("Authorization", "Bearer \(token)"), ("X-Latchkey-Client", "other"), ("X-User-Id", "usr_1"),
                    ("X-User-Role", "admin"), ("X-Session-Id", "s"), ("X-Latchkey-Identity", "e30"),
                ], body: [])
            let greeting: Greeting = try answer.decoded()
            #expect(greeting.clientId == client.name && greeting.userId == nil)
            #expect(greeting.sessionId == nil && greeting.role == nil)
            let set = try await stack.gateway.get("/.well-known/latchkey-identity.json").decoded(JSONWebKeySet.self)
            let key = try VerificationKey(jwk: try #require(set.keys.first))
            let proof = try StrictJSON.parse(
                try CompactJWS(Array(try #require(greeting.identity).utf8)).payload(verifiedWith: key), limits: .own)
            #expect(proof["client_id"]?.stringValue == client.name && proof["role"]?.stringValue == "reports")
            #expect(proof["sub"] == nil && proof["sid"] == nil)
        }

        @Test func `a user is refused where only clients go, and a client's name is removed elsewhere`() async throws {
            let user = try await stack.signIn().tokens
            #expect(try await hello(user.accessToken) == 401)
            #expect(try await stack.gateway.get("/api/hello").status == 401)
            let token = try await ClientUnderTest(stack).token()
            let optional = try await stack.gateway.send(
                "POST", "/api/echo", headers: [("Authorization", "Bearer \(token)")], body: [])
            #expect(optional.status == 401)
            #expect(try await stack.gateway.get("/api/else", bearer: token).status == 401)
        }

        // keycloak/keycloak#16015, DuendeArchive/IdentityServer4#2362
        @Test func `every operation of the documents but the administrators' refuses a client's token`() async throws {
            let client = try await ClientUnderTest(stack, role: "user")
            var refused = 0
            for isRemembered in [false, true] {
                let token = try await client.token()
                // The gateway remembers a token that it has verified for another path.
                if isRemembered { #expect(try await hello(token) == 200) }
                for operation in try DocumentedOperation.all()
                where operation.needsToken && operation.dialect == "native" {
                    let path = operation.pathWithQuery.replacing("{id}", with: "usr_1").replacing(
                        "{session}", with: "s"
                    )
                    .replacing("{name}", with: "acme")
                    let answer = try await stack.gateway.send(
                        operation.method, path,
                        headers: [("Authorization", "Bearer \(token)")]
                            + (operation.body == nil ? [] : [("Content-Type", "application/json")]),
                        body: operation.body.map { Array($0.utf8) })
                    // Without `admin.actAs` there is no path for acting.
                    let isOpenToClients = operation.path.hasPrefix("/admin/") && !operation.path.hasSuffix("/act")
                    let isKnown = ![404, 405].contains(answer.status) || isOpenToClients
                    #expect(
                        answer.status == (isOpenToClients ? 403 : 401) || !isKnown,
                        "\(operation): \(answer.status) \(answer.text)")
                    refused += answer.status == 401 ? 1 : 0
                }
            }
            #expect(refused > 12)
        }

        @Test func `no sign-out or refresh knows the token`() async throws {
            let client = try await ClientUnderTest(stack)
            let token = try await client.token()
            let logout = try await stack.gateway.post("/auth/logout", #"{"scope":"all"}"#, bearer: token)
            #expect(logout.status == 401, "\(logout.text)")
            _ = try await stack.gateway.post("/auth/logout", "{}", bearer: token)
            let refresh = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
            #expect(refresh.status == 401)
            #expect(try await hello(token) == 200)
        }

        // MARK: - The API for administrators

        @Test func `a client whose row says so administers, and the audit says which client`() async throws {
            let client = try await ClientUnderTest(stack, role: "admin")
            let (token, user) = (try await client.token(), try await stack.signIn().user)
            let read = try await stack.gateway.get("/admin/users/\(user.id)", bearer: token)
            #expect(read.status == 200, "\(read.text)")
            let change = try await stack.gateway.send(
                "PATCH", "/admin/users/\(user.id)",
                headers: [
                    ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
                    ("Latchkey-Reason", "\(client.name) works"),
                ], body: Array(#"{"name":"Ann"}"#.utf8))
            #expect(change.status == 200, "\(change.text)")
            let sessions = try await stack.gateway.get("/admin/users/\(user.id)/sessions", bearer: token)
            #expect(sessions.status == 200, "\(sessions.text)")
            let methods = try await stack.sql(
                "users", "SELECT DISTINCT method FROM audit WHERE detail LIKE '%reason: \(client.name) works'")
            #expect(methods == ["client:\(client.name)"])
        }

        @Test func `a client of another role may not, and one that is revoked may not at once`() async throws {
            let other = try await ClientUnderTest(stack, role: "administrator")
            #expect(try await stack.gateway.get("/admin/users", bearer: try await other.token()).status == 403)
            let client = try await ClientUnderTest(stack, role: "admin")
            let token = try await client.token()
            #expect(try await stack.gateway.get("/admin/users", bearer: token).status == 200)
            try await client.revoke()
            #expect(try await stack.gateway.get("/admin/users", bearer: token).status == 401)
        }

        // MARK: - The end

        // ory/hydra#1728, cloudflare/workers-oauth-provider#48
        @Test(arguments: ["revoke", "remove"])
        func `the tokens of a client that is gone are refused, and it gets no other`(_ command: String) async throws {
            let (client, bystander) = (try await ClientUnderTest(stack), try await ClientUnderTest(stack))
            let (token, others) = (try await client.token(), try await bystander.token())
            #expect(try await hello(token) == 200)
            try await client.revoke(command)
            try await untilRefused(token)
            #expect(try await client.ask().status == 401)
            #expect(try await hello(others) == 200)
            // The command may be repeated unless the client is gone.
            let again = try await stack.control("clients \(command) \(client.name)")
            #expect(again.isSuccess == (command == "revoke"), "\(again.output)")
            let events = try await stack.sql(
                "users", "SELECT event FROM audit WHERE detail = 'client \(client.name)'")
            let removed = command == "remove" ? ["client.removed"] : []
            #expect(
                events.sorted() == ["client.created"] + removed + ["client.revoked", "client.token_issued"])
        }

        @Test func `a client that is made again under the same name does not revive the old tokens`() async throws {
            let client = try await ClientUnderTest(stack)
            let token = try await client.token()
            try await client.revoke("remove")
            let made = try await stack.control("clients create \(client.name) --role reports")
            #expect(made.isSuccess, "\(made.output)")
            try await untilRefused(token)
            var again = client
            again.secret = String(try #require(made.output.split(separator: "\n").last))
            let fresh = try await again.token()
            #expect(try await hello(fresh) == 200)
            #expect(try await client.ask().status == 401)
        }

        // ory/hydra#3443
        @Test func `two secrets are valid at a time, and rotation ends the older one`() async throws {
            var client = try await ClientUnderTest(stack)
            let first = client.secret
            let token = try await client.token()
            let second = try await client.rotated()
            for secret in [first, second] {
                client.secret = secret
                #expect(try await client.ask().status == 200)
            }
            let third = try await client.rotated()
            for (secret, status) in [(first, 401), (second, 200), (third, 200)] {
                client.secret = secret
                #expect(try await client.ask().status == status)
            }
            let last = try await client.rotated("--end-earlier")
            for (secret, status) in [(second, 401), (third, 401), (last, 200)] {
                client.secret = secret
                #expect(try await client.ask().status == status)
            }
            #expect(try await hello(token) == 200)
            let shown = try await stack.control("clients list")
            #expect(shown.output.contains(client.name) && ![first, last].contains { shown.output.contains($0) })
        }

        @Test func `a name, a role or a key that cannot be is refused`() async throws {
            let (client, user) = (try await ClientUnderTest(stack), try await stack.signIn().user)
            for (arguments, message) in [
                ("create \(client.name) --role reports", "There is a client with this name"),
                ("create -- -x", "role"), ("create a/b --role r", "name is not"),
                ("create \(user.id) --role r", "user's id"),
                ("create ok --role 'a b'", "role is not"), ("rotate no-one", "no such client"),
                ("revoke no-one", "no such client"),
                ("key \(client.name) --public-key /etc/hostname", "key cannot be used"),
            ] {
                let outcome = try await stack.control("clients \(arguments)")
                #expect(!outcome.isSuccess && outcome.output.contains(message), "\(arguments): \(outcome.output)")
            }
        }
    }
}
