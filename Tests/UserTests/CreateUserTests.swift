import CryptoPrimitives
import InternalAPI
import StrictJSON
import TestSupport
import Testing

@testable import UserCore

/// Users that an administrator creates: whose identities, with which rights, how often, and what the audit says of it.
@Suite struct CreateUserTests {
    private let fixture: UserFixture
    private let create: CreateUser

    init() throws {
        fixture = try UserFixture()
        create = try #require(try fixture.wiring("admin: { api: true }").admin).create
    }

    private func admin(_ phone: String = "+15550000000") async throws -> SignedInUser {
        let user = try await fixture.signedIn(phone)
        let request = ChangeUserRequest(userID: user.id.text(prefix: UserFixture.prefix), role: "admin")
        #expect(try await fixture.change(request, requestID: nil).isDone)
        return user
    }

    private func create(_ request: CreateUserRequest, by caller: SignedInUser) async throws -> CreateUser.Outcome {
        let check = AdministratorCheck(store: fixture.store, queries: fixture.store, now: fixture.clock.unix)
        let admin = try await check(caller, "test", requestID: "r-1")
        let origin = RequestOrigin.by(admin, sessionID: caller.sessionID, reason: "ticket 7", requestID: "r-1")
        var create = create
        create.act.store = AdministratorStore(store: fixture.store, caller: .user(caller))
        return try await RequestOrigin.$ofAdministrator.withValue(origin) {
            [create] in try await create(request, requestID: "r-1")
        }
    }

    private func user(
        _ phone: String? = "+15550000001", email: String? = nil, verified: Bool? = nil, name: String? = nil,
        role: String? = nil, call: String = CallID.random()
    ) -> CreateUserRequest {
        CreateUserRequest(phone: phone, email: email, emailVerified: verified, name: name, role: role, callID: call)
    }

    @Test func `a created user has the rights at once, and is the one who signs in with the number`() async throws {
        let admin = try await admin()
        let id = try await create(user(name: "Ann", role: "editor"), by: admin).answered
        let stored = try #require(try await fixture.store.user(id))
        #expect(stored.name == "Ann" && stored.role == "editor" && stored.isActive)
        let signedIn = try await fixture.signedIn("+15550000001")
        #expect(signedIn.id == id)
        #expect(try await fixture.count("users") == 2)
        let record = try await fixture.texts(
            "SELECT method || ' ' || detail FROM audit WHERE event = 'user.created' AND detail IS NOT NULL")
        let administrator = try #require(try await fixture.store.user(admin.id))
        #expect(record == ["administrator:\(Hex.encode(administrator.pseudonym.bytes)) role editor reason: ticket 7"])
    }

    @Test func `a created user has the id, the metadata and the password's hash of the request`() async throws {
        let admin = try await admin()
        let uuid = "5B1F8A52-2F0E-4A7E-9C43-2A1B0C9D8E01"
        var request = user(nil, email: "ann@example.com", verified: true)
        (request.id, request.isActive) = (uuid, false)
        request.passwordHash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
        request.metadata = ImportedMetadata(
            app: try StrictJSON.parse(Array(#"{"plan":"pro"}"#.utf8), limits: .own),
            own: try StrictJSON.parse(Array(#"{"theme":"dark"}"#.utf8), limits: .own))
        let id = try await create(request, by: admin).answered
        #expect(id.text(prefix: "") == uuid.lowercased().filter { $0 != "-" })
        let facts = try await fixture.store.facts(UserQuestion(.account(id), askedAt: fixture.clock.seconds))
        let stored = try #require(facts.holder)
        #expect(stored.metadata.app.text == #"{"plan":"pro"}"# && stored.metadata.own.text == #"{"theme":"dark"}"#)
        #expect(!stored.isActive && facts.password?.hash == request.passwordHash)
        // Another user cannot have the id.
        var other = user("+15550000002")
        other.id = uuid
        #expect(try await create(other, by: admin).isRefused(.taken))
        // The policy has no passwords, so that none can be set.
        var plain = user(nil, email: "bo@example.com", verified: true)
        plain.password = "correct horse battery"
        await #expect(throws: InvalidInput.self) { try await create(plain, by: admin) }
    }

    @Test(arguments: ["+15550000001", "+1 555 000 0001", "+1(555)000-0001"])
    func `a number that a user has is taken in every spelling`(phone: String) async throws {
        let admin = try await admin()
        _ = try await fixture.signedIn("+15550000001")
        #expect(try await create(user(phone), by: admin) == .refused(.taken))
        #expect(try await fixture.count("users") == 2)
        #expect(try await fixture.auditEvents().last == "user.looked_up")
    }

    @Test(arguments: ["betty@example.com", "Betty@Example.COM", " betty@example.com "])
    func `an address that a user has is taken in every spelling, verified or not`(email: String) async throws {
        let admin = try await admin()
        _ = try await fixture.signedIn(.email("betty@example.com"))
        for verified in [true, false] {
            let outcome = try await create(user(nil, email: email, verified: verified), by: admin)
            #expect(outcome == .refused(.taken), "\(email)")
        }
        // One of two identities is enough.
        #expect(try await create(user(email: email, verified: true), by: admin) == .refused(.taken))
        #expect(try await fixture.count("users") == 2)
        #expect(try await fixture.count("identities") == 2)
    }

    @Test func `an address that another user only claimed is taken, unless the administrator says it is verified`()
        async throws
    {
        let admin = try await admin()
        let first = try await create(user(nil, email: "betty@example.com", verified: false), by: admin).answered
        let second = user("+15550000002", email: "betty@example.com", verified: false)
        #expect(try await create(second, by: admin) == .refused(.taken))
        let owner = try await create(user(nil, email: "betty@example.com", verified: true), by: admin).answered
        #expect(owner != first)
        #expect(try await fixture.signedIn(.email("betty@example.com")).id == owner)
        #expect(try await fixture.count("unverified_addresses") == 0)
    }

    @Test func `a number that a begun change gives to another user is taken`() async throws {
        let admin = try await admin()
        let anna = try await fixture.signedIn("+15550000005")
        let changes = try fixture.wiring("admin: { api: true }").support.phoneChanges
        let begun = try await changes(
            ReplacePhoneRequest(userID: anna.id.text(prefix: UserFixture.prefix), phone: "+15550000001"), requestID: nil
        )
        #expect(begun == .answer(Done()))
        #expect(try await create(user(), by: admin) == .refused(.taken))
    }

    @Test func `a repeat of the call is the first user, and another call or administrator is refused`() async throws {
        let (admin, other) = (try await admin(), try await admin("+15550000009"))
        let first = try await create(user(call: "c-1"), by: admin)
        #expect(try await create(user(call: "c-1"), by: admin) == first)
        #expect(try await create(user(call: "c-2"), by: admin) == .refused(.taken))
        #expect(try await create(user(call: "c-1"), by: other) == .refused(.taken))
        fixture.clock.advance(seconds: AccountAct.answerSeconds)
        #expect(try await create(user(call: "c-1"), by: admin) == .refused(.taken))
        #expect(try await fixture.count("users") == 3)
    }

    @Test func `of creations at once one makes the user`() async throws {
        let admin = try await admin()
        let outcomes = try await withThrowingTaskGroup(of: CreateUser.Outcome.self) { group in
            for _ in 0..<8 { group.addTask { try await create(user(role: "editor"), by: admin) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .refused(.taken) } == 7)
        #expect(try await fixture.count("users") == 2)
    }

    @Test func `an invitation ends when its person is created`() async throws {
        let admin = try await admin()
        let invite = try fixture.wiring("admin: { api: true }").accounts.invite
        _ = try await invite(InviteRequest(to: "+15550000001", role: "editor"), requestID: nil).answered
        _ = try await create(user(), by: admin).answered
        #expect(try await fixture.count("invitations") == 0)
        #expect(try await fixture.signedIn("+15550000001").id != admin.id)
    }

    private static let wrong: [(String, CreateUserRequest)] = [
        ("no identity", CreateUserRequest(name: "Ann", callID: "c")),
        ("half a number", CreateUserRequest(phone: "+1555", callID: "c")),
        ("no address", CreateUserRequest(email: "betty", emailVerified: true, callID: "c")),
        ("verified or not", CreateUserRequest(email: "betty@example.com", callID: "c")),
        (
            "a role by a claim",
            CreateUserRequest(email: "betty@example.com", emailVerified: false, role: "admin", callID: "c")
        ),
        ("a role with a space", CreateUserRequest(phone: "+15550000001", role: "a b", callID: "c")),
        ("an empty role", CreateUserRequest(phone: "+15550000001", role: "", callID: "c")),
        ("a role of Cyrillic", CreateUserRequest(phone: "+15550000001", role: "\u{430}dmin", callID: "c")),
        ("a control character", CreateUserRequest(phone: "+15550000001", name: "a\u{202E}b", callID: "c")),
        (
            "a long name",
            CreateUserRequest(phone: "+15550000001", name: String(repeating: "a", count: 101), callID: "c")
        ),
    ]

    @Test(arguments: wrong)
    func `a wrong request creates no user`(what: String, request: CreateUserRequest) async throws {
        let admin = try await admin()
        await #expect(throws: InvalidInput.self, "\(what)") { _ = try await create(request, by: admin) }
        #expect(try await fixture.count("users") == 1)
    }
}
