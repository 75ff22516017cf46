import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import ServiceCalls
import ServiceHTTP
import ServiceKit
import TestSupport
import Testing

@testable import UserCore

/// The operations for administrators, as the gateway calls them.
@Suite struct AdminRoutesTests {
    private let fixture: UserFixture
    private let pairKeys: KeyRing
    private let calls: OwnCalls
    private let router: Router<ServiceRequestContext>

    init() throws {
        fixture = try UserFixture()
        pairKeys = try UserFixture.ring()
        calls = OwnCalls(to: "user", keys: [.gateway: pairKeys])
        router = try Self.router(fixture, calls, "admin: { api: true }")
        fixture.tokenService.setSignedIn(at: fixture.clock.seconds)
    }

    private static func router(
        _ fixture: UserFixture, _ calls: OwnCalls, _ policy: String, adminKeys: String? = nil
    ) throws -> Router<ServiceRequestContext> {
        let routes = try fixture.wiring(policy, adminKeys: adminKeys)
        return serviceRouter(verifier: calls.verifier) { routes.add(to: &$0) }
    }

    private struct Answer {
        let status: Int
        let body: String
    }

    private func send(
        _ path: String, _ body: String, as user: SignedInUser?, through router: Router<ServiceRequestContext>? = nil
    ) async throws -> Answer {
        let token = try user.map { try fixture.accessToken($0.id.text(prefix: UserFixture.prefix)) }
        return try await send(path, body, token: token, through: router)
    }

    private func send(
        _ path: String, _ body: String, token: String?, through router: Router<ServiceRequestContext>? = nil
    ) async throws -> Answer {
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name(AssertionSigner.header))] =
            calls.sign(
                AssertedRequest(
                    method: "POST", path: path, authorization: token.map { "Bearer \($0)" } ?? "",
                    body: Array(body.utf8)),
                as: .gateway, keys: pairKeys
            ).text
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await Application(router: router ?? self.router).test(.router) { [headers] client in
            try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: body)) {
                Answer(status: $0.status.code, body: String(buffer: $0.body))
            }
        }
    }

    private func text(_ user: SignedInUser) -> String { user.id.text(prefix: UserFixture.prefix) }

    private func admin(_ phone: String = "+15550000000") async throws -> SignedInUser {
        let user = try await fixture.signedIn(phone)
        let request = ChangeUserRequest(userID: text(user), role: "admin")
        #expect(try await fixture.change(request, requestID: nil).isDone)
        return user
    }

    /// Stores a client and returns its token.
    ///
    /// - Parameter age: how long ago the token was issued, in seconds.
    private func clientToken(role: String, age: Int64 = 0, audience: String = "/client") async throws -> String {
        let now = fixture.clock.seconds
        let client = APIClient.new("c-\(UUID().uuidString)", role: role, secretHash: SecureRandom.bytes(32), now: now)
        try await fixture.store.decide([UserQuestion(.client(client.id), askedAt: now)], now: now) { _ in
            Verdict((), [.storeClient(client)])
        }
        let claims = AccessTokenClaims(
            issuer: UserFixture.issuer, audience: [UserFixture.audience + audience], subject: client.id,
            issuedAt: now - age, expiresAt: now + 60, tokenID: "t", sessionID: client.sidText, version: 0)
        return try AccessTokenSigner().sign(claims, with: fixture.signingKey)
    }

    @Test func `a client does what its row and the age of its token allow, and is no user`() async throws {
        let id = text(try await fixture.signedIn())
        for operation in Self.operations(on: id) {
            for (token, changes, reads) in [
                (try await clientToken(role: "admin"), 200, 200),
                (try await clientToken(role: "admin", age: 301), 403, 200),
                (try await clientToken(role: "user"), 403, 403),
                (try await clientToken(role: "admin", audience: ""), 401, 401),
                (try await clientToken(role: "admin", audience: "/other"), 401, 401),
            ] {
                let answer = try await send(operation.path, operation.body, token: token)
                let expected = operation.isChange ? changes : reads
                // A change may have been made before, which is no matter of who may make it.
                let isAllowed = expected == 200 && ![401, 403].contains(answer.status)
                #expect(isAllowed || answer.status == expected, "\(operation.path): \(answer.status) \(answer.body)")
            }
        }
        let own = try await send(
            UserOperations.listAsAdmin.path, #"{"limit":9}"#, token: try await clientToken(role: "admin"))
        #expect(own.status == 401, "\(own.body)")
        #expect(try await fixture.auditEvents().contains("user.look_refused"))
    }

    /// Each operation with a right body, and whether it changes something.
    private static func operations(on id: String) -> [(path: String, body: String, isChange: Bool)] {
        [
            (AdminOperations.search.path, #"{"limit":9}"#, false),
            (AdminOperations.read.path, #"{"key":"\#(id)"}"#, false),
            (AdminOperations.reviews.path, "{}", false),
            (AdminOperations.change.path, #"{"userID":"\#(id)","role":"guest","phone":"+15550000007"}"#, true),
            (AdminOperations.replacePhone.path, #"{"userID":"\#(id)","phone":"+15550000009"}"#, true),
            (AdminOperations.invite.path, #"{"to":"+15550000008"}"#, true),
            (AdminOperations.clearReview.path, #"{"userID":"\#(id)"}"#, true),
            (AdminOperations.delete.path, #"{"userID":"\#(id)","now":true}"#, true),
            (AdminOperations.restore.path, #"{"userID":"\#(id)"}"#, true),
            (AdminOperations.create.path, #"{"phone":"+15550000006","callID":"c-1"}"#, true),
            (AdminOperations.audit.path, #"{"from":1,"to":2,"limit":9}"#, false),
            (AdminOperations.story.path, #"{"userID":"\#(id)","from":1,"to":2,"limit":9}"#, false),
            (AdminOperations.reviewAccess.path, "{}", false),
            (AdminOperations.openReviewAccess.path, #"{"phone":"+15550000005","until":1}"#, true),
            (AdminOperations.endReviewAccess.path, #"{"phone":"+15550000005"}"#, true),
        ].map { ($0.0, #"{"body":\#($0.1)}"#, $0.2) }
    }

    @Test func `the holder of a key does everything, under the key's name, and no other text is one`() async throws {
        let id = text(try await fixture.signedIn())
        let keys: [String] = ["Zk3vQ9wLr7Xc2Tn5Bd8Hf1", "N0pq8Rs6Tu4Vw2Xy9Za7Bc5De3Fg1Hi0Jk8Lm6No"].map {
            "sb_secret_" + $0
        }
        let router = try Self.router(
            fixture, calls, "admin: { api: true, actAs: { role: helper } }",
            adminKeys: "backend \(keys[0])\n# an old one\nworker-2 \(keys[1])")
        let wrong: [String] = [
            "\(keys[0])a", String(keys[0].dropLast()), "\(keys[0])b", keys[1].uppercased(), "sb_secret_", "backend",
        ]
        for operation in Self.operations(on: id) {
            for key in wrong {
                #expect(
                    try await send(operation.path, operation.body, token: key, through: router).status == 401, "\(key)")
            }
        }
        for operation in Self.operations(on: id) {
            let answer = try await send(operation.path, operation.body, token: keys[1], through: router)
            #expect(answer.status == 200, "\(operation.path): \(answer)")
        }
        let act = try await send(
            AdminOperations.act.path, #"{"body":{"key":"\#(id)"}}"#, token: keys[0], through: router)
        #expect(act.status == 403, "\(act)")
        let methods = try await fixture.texts("SELECT DISTINCT method FROM audit WHERE method LIKE 'client:%'")
        #expect(methods == ["client:key:worker-2"])
        // Without the secret there is none.
        #expect(try await send(AdminOperations.search.path, #"{"body":{"limit":9}}"#, token: keys[0]).status == 401)
    }

    @Test func `a key of another form, or with a name that records cannot contain, stops the start`() throws {
        let key = "Zk3vQ9wLr7Xc2Tn5Bd8Hf1Gm4Jp6Ks0Y"
        let long = String(repeating: "n", count: 65)
        for line in ["backend \(key)", "\(long) sb_secret_\(key)"] {
            #expect(throws: SettingsError.self) { try AdminKeys(try KeyRing(parsing: line)) }
        }
        _ = try AdminKeys(try KeyRing(parsing: "\(long.dropLast()) sb_secret_\(key)"))
    }

    @Test func `a page by its offset has the number of all users and their metadata`() async throws {
        let admin = try await admin()
        for number in 1...4 { _ = try await fixture.signedIn("+1555000000\(number)") }
        var seen: [String] = []
        for offset in [0, 2, 4, 6] {
            let body = #"{"body":{"limit":2,"offset":\#(offset)}}"#
            let answer = try await send(AdminOperations.search.path, body, as: admin)
            let page = try JSONDecoder().decode(UserPage.self, from: Data(answer.body.utf8))
            #expect(page.total == 5 && page.next == nil)
            seen += page.users.map(\.id)
        }
        #expect(seen.count == 5 && Set(seen).count == 5 && seen == seen.sorted(by: >))
        let negative = try await send(AdminOperations.search.path, #"{"body":{"limit":2,"offset":-1}}"#, as: admin)
        #expect(negative.status == 400)
    }

    @Test func `only an administrator's row lets anybody in`() async throws {
        let (anna, user, inactive) = (
            try await fixture.signedIn("+15550000001"), try await fixture.signedIn("+15550000002"),
            try await admin("+15550000003")
        )
        _ = try await admin()
        let off = ChangeUserRequest(userID: text(inactive), isActive: false)
        #expect(try await fixture.change(off, requestID: nil).isDone)
        let before = try #require(try await fixture.store.user(anna.id)).tag([])
        for operation in Self.operations(on: text(anna)) {
            for (caller, status, code) in [
                (nil, 401, "invalid_token"), (user, 403, "forbidden"), (anna, 403, "forbidden"),
                (inactive, 403, "account_inactive"), (SignedInUser(id: .new(), sessionID: "s"), 401, "invalid_token"),
            ] as [(SignedInUser?, Int, String)] {
                let answer = try await send(operation.path, operation.body, as: caller)
                #expect(answer.status == status && answer.body.contains(code), "\(operation): \(answer)")
            }
        }
        #expect(try await fixture.store.user(anna.id)?.tag([]) == before)
        #expect(try await fixture.count("invitations") == 0)
    }

    @Test func `an administrator with a recent proof may do everything, and reads without one`() async throws {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        for seconds: Int64 in [301, 0] {
            fixture.tokenService.setSignedIn(at: fixture.clock.seconds - seconds)
            for operation in Self.operations(on: text(anna)) {
                let answer = try await send(operation.path, operation.body, as: admin)
                let isOld = operation.isChange && seconds > 300
                #expect(answer.status == (isOld ? 403 : 200), "\(operation): \(answer)")
                #expect(!isOld || answer.body.contains("reauthentication_required"), "\(answer)")
            }
        }
        fixture.tokenService.setSignedIn(at: nil)
        let change = Self.operations(on: text(anna))[3]
        #expect(try await send(change.path, change.body, as: admin).status == 401)
        // To remove at once and to give another number is the operator's alone.
        #expect(try await fixture.store.user(anna.id)?.deletion == nil)
        let after = try #require(try await fixture.store.user(anna.id))
        #expect(after.role == "guest" && after.phone == "+15550000001")
    }

    /// The records of reading, as the subject's phone number and the detail.
    private func looks() async throws -> [String] {
        try await fixture.texts(
            """
            SELECT (SELECT value FROM identities WHERE user_id = users.id) || ' ' || detail
            FROM audit JOIN users ON subject = pseudonym WHERE event = 'user.looked_up' ORDER BY number
            """)
    }

    @Test func `a request that changes nothing has a record of its own`() async throws {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        let delete = (AdminOperations.delete.path, "", 200)
        #expect(try await send(delete.0, #"{"body":{"userID":"\#(text(anna))"}}"#, as: admin).status == 200)
        let idle = [
            (AdminOperations.change.path, #","role":"user""#, 200), (AdminOperations.clearReview.path, "", 200), delete,
            (AdminOperations.replacePhone.path, "", 200),
        ]
        for (index, (path, members, status)) in idle.enumerated() {
            let answer = try await send(
                path, #"{"body":{"userID":"\#(text(anna))"\#(members)},"reason":"no. \#(index)"}"#, as: admin)
            #expect(answer.status == status, "\(path): \(answer)")
        }
        let expected = idle.indices.map { "+15550000001 nothing changed reason: no. \($0)" }
        #expect(try await looks() == expected)
        let restore = #"{"body":{"userID":"\#(text(anna))"}}"#
        for _ in 0..<2 { #expect(try await send(AdminOperations.restore.path, restore, as: admin).status == 200) }
        #expect(try await looks() == expected + ["+15550000001 nothing changed"])
    }

    @Test func `each account on a page of reviews has a record`() async throws {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        try await fixture.store.put([.openReview(of: anna.id, since: 900)], now: 1_000)
        let answer = try await send(AdminOperations.reviews.path, #"{"body":{}}"#, as: admin)
        #expect(answer.status == 200 && answer.body.contains(text(anna)), "\(answer)")
        #expect(try await looks() == ["+15550000001 reviews"])
    }

    @Test func `only a number without an account of somebody is given review access, with the administrator's name`()
        async throws
    {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        _ = try await fixture.signIn(by: Attestation.reviewMethod)
        for (phone, until, status) in [
            ("+15550000001", 5, 409), ("ann@example.com", 5, 400), ("5", 5, 400), ("+15550000005", 0, 400),
            ("+15550000005", 5, 200), ("+15551234567", 5, 200),
        ] {
            let body = #"{"body":{"phone":"\#(phone)","until":\#(until),"administrator":"operator"},"reason":"t"}"#
            let answer = try await send(AdminOperations.openReviewAccess.path, body, as: admin)
            #expect(answer.status == status, "\(phone): \(answer)")
            #expect(answer.body.contains("246810") == (status == 200), "\(phone): \(answer)")
        }
        #expect(fixture.otpService.given.map(\.phone) == ["+15550000005", "+15550000005", "+15551234567"])
        #expect(fixture.otpService.given.allSatisfy { $0.administrator?.hasPrefix("administrator:") == true })
        #expect(try await looks().first == "+15550000001 review access: open reason: t")
        #expect(try await fixture.store.user(anna.id)?.isForReview == false)
    }

    @Test func `a replacement of a phone number ends once, and an unknown user has none`() async throws {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        func replace(_ user: String, _ phone: String?) async throws -> Int {
            let member = phone.map { #","phone":"\#($0)""# } ?? ""
            return try await send(
                AdminOperations.replacePhone.path, #"{"body":{"userID":"\#(user)"\#(member)}}"#, as: admin
            ).status
        }
        #expect(try await replace(text(anna), "+15550000009") == 200)
        for pending in [1, 0, 0] {
            #expect(try await fixture.count("pending_changes") == pending)
            #expect(try await replace(text(anna), nil) == 200)
        }
        #expect(try await replace(UserID.new().text(prefix: UserFixture.prefix), nil) == 404)
    }

    @Test(
        arguments: [
            ("", false), ("ticket 7", true), (String(repeating: "a", count: 201), false), (#"a\nb"#, false),
            ("ticket 7 Operator:alice", false), ("administrator:00", false), ("for the operator", true),
        ])
    func `a reason is one line of printable characters, and names nobody who acts`(
        reason: String, isAllowed: Bool
    ) async throws {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        let body = #"{"body":{"key":"\#(text(anna))"},"reason":"\#(reason)"}"#
        let answer = try await send(AdminOperations.read.path, body, as: admin)
        #expect(answer.status == (isAllowed ? 200 : 400), "\(answer)")
        #expect(isAllowed || answer.body.contains("reason"), "\(answer)")
        let read = try await fixture.auditEvents().contains("user.looked_up")
        #expect(read == isAllowed)
    }

    // MARK: - Acting as a user

    private static let actingPolicy = "admin: { api: true, actAs: { role: support } }"

    private func user(_ phone: String, role: String) async throws -> SignedInUser {
        let user = try await fixture.signedIn(phone)
        #expect(try await fixture.change(ChangeUserRequest(userID: text(user), role: role), requestID: nil).isDone)
        return user
    }

    private func act(
        as id: String, by token: String?, reason: String? = "ticket 7", policy: String = actingPolicy
    ) async throws -> Answer {
        let member = reason.map { #","reason":"\#($0)""# } ?? ""
        return try await send(
            AdminOperations.act.path, #"{"body":{"key":"\#(id)"}\#(member)}"#, token: token,
            through: try Self.router(fixture, calls, policy))
    }

    @Test func `only the role of the policy acts, with a reason and a recent proof`() async throws {
        let anna = text(try await fixture.signedIn("+15550000001"))
        let support = try await user("+15550000002", role: "support")
        let off = try await user("+15550000003", role: "support")
        #expect(try await fixture.change(ChangeUserRequest(userID: text(off), isActive: false), requestID: nil).isDone)
        func token(_ user: SignedInUser) throws -> String { try fixture.accessToken(text(user)) }
        for (caller, status) in [
            (nil, 401), (try token(try await fixture.signedIn("+15550000004")), 403),
            (try token(try await admin()), 403),
            (try await clientToken(role: "support"), 403), (try await clientToken(role: "admin"), 403),
            (try token(off), 403),
        ] as [(String?, Int)] {
            let answer = try await act(as: anna, by: caller)
            #expect(answer.status == status, "\(answer)")
        }
        #expect(try await act(as: anna, by: try token(support), reason: nil).status == 400)
        #expect(try await act(as: anna, by: try token(support), policy: "admin: { api: true }").status == 403)
        fixture.tokenService.setSignedIn(at: fixture.clock.seconds - 301)
        let old = try await act(as: anna, by: try token(support))
        #expect(old.status == 403 && old.body.contains("reauthentication_required"), "\(old)")
        #expect(fixture.tokenService.acts.isEmpty)
        #expect(try await fixture.count("audit WHERE event IN ('user.acted_as', 'user.acts_as')") == 0)
        fixture.tokenService.setSignedIn(at: fixture.clock.seconds)
        let answer = try await act(as: anna, by: try token(support))
        #expect(answer.status == 200 && answer.body.contains("a.b.c"), "\(answer)")
        let request = try #require(fixture.tokenService.acts.first)
        #expect(request.userID == anna && request.actorID == text(support))
        let row = try #require(try await fixture.store.user(support.id))
        #expect(request.actorSessionID == support.sessionID && request.actorVersion == row.version)
        #expect(request.administrator == "administrator:\(Hex.encode(row.pseudonym.bytes))")
        // The role allows nothing else.
        for operation in Self.operations(on: anna) {
            #expect(try await send(operation.path, operation.body, as: support).status == 403, "\(operation.path)")
        }
    }

    @Test func `nobody acts as an administrator, as one who may act, or as one who cannot sign in`() async throws {
        let support = try await user("+15550000002", role: "support")
        let token = try fixture.accessToken(text(support))
        let (off, deleted) = (try await fixture.signedIn("+15550000003"), try await fixture.signedIn("+15550000004"))
        #expect(try await fixture.change(ChangeUserRequest(userID: text(off), isActive: false), requestID: nil).isDone)
        let delete = #"{"body":{"userID":"\#(text(deleted))"}}"#
        #expect(try await send(AdminOperations.delete.path, delete, as: try await admin()).status == 200)
        for (id, status) in [
            (text(try await admin("+15550000005")), 403), (text(support), 403), (text(off), 403), (text(deleted), 403),
            (text(try await user("+15550000006", role: "support")), 403),
            (UserID.new().text(prefix: UserFixture.prefix), 404), ("+15550000003", 404), ("", 404),
        ] {
            let answer = try await act(as: id, by: token)
            #expect(answer.status == status, "\(id): \(answer)")
        }
        #expect(fixture.tokenService.acts.isEmpty)
    }

    @Test func `both users have a record of it`() async throws {
        let (anna, support) = (try await fixture.signedIn(), try await user("+15550000002", role: "support"))
        let token = try fixture.accessToken(text(support))
        #expect(try await act(as: text(anna), by: token).status == 200)
        let pseudonym = { (user: SignedInUser) in
            Hex.encode(try #require(try await fixture.store.user(user.id)).pseudonym.bytes)
        }
        let (her, his) = (try await pseudonym(anna), try await pseudonym(support))
        let records = try await fixture.texts(
            """
            SELECT event || ' ' || lower(hex(subject)) || ' ' || method || ' ' || detail FROM audit
            WHERE event IN ('user.acted_as', 'user.acts_as') ORDER BY number
            """)
        #expect(
            records == [
                "user.acted_as \(her) administrator:\(his) reason: ticket 7",
                "user.acts_as \(his) administrator:\(his) as \(her) reason: ticket 7",
            ])
    }

    @Test func `without the section there are no operations`() async throws {
        let (admin, anna) = (try await admin(), try await fixture.signedIn("+15550000001"))
        let router = try Self.router(fixture, calls, "")
        for operation in Self.operations(on: text(anna)) {
            #expect(try await send(operation.path, operation.body, as: admin, through: router).status == 404)
        }
    }
}
