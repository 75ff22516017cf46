import CryptoPrimitives
import InternalAPI
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about imported users.
@Suite struct ImportContract {
    private let email = VerifiedIdentity(kind: .email, value: "ann@example.com")

    private func importer(_ storage: StorageReplica) throws -> ImportUsers {
        let ring = try KeyRing(parsing: "k1 7d1f0c9b3a58e642d1f0c9b3a58e64277d1f0c9b3a58e642d1f0c9b3a58e6427")
        return ImportUsers(
            store: storage.users, ids: ImportedIDs(ring: ring), userIDPrefix: "usr_", defaultRegion: "US",
            now: { 1_000 })
    }

    private func add(_ storage: StorageReplica, _ users: ImportedUser...) async throws -> [ImportResult] {
        try await importer(storage)(ImportUsersRequest(users: users), requestID: "r").results
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user comes as he is said to be, once`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let ann = ImportedUser(
            legacyID: "fb ö%1", email: "Ann@Example.com", emailVerified: true, phone: "(415) 555-0100", name: " Ann ",
            role: "admin", isActive: false, createdAt: 7,
            passwordHash: "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i")
        let first = try await add(storage, ann, ann)
        #expect(first.map(\.isAdded) == [true, false] && Set(first.map(\.userID)).count == 1)
        #expect(try await add(storage, ann) == [ImportResult(userID: first[0].userID)])

        let facts = try await storage.users.facts(
            UserQuestion(.identity(email), call: nil, askedAt: 1_000))
        let user = try #require(facts.holder)
        #expect(user.id.text(prefix: "usr_") == first[0].userID && user.legacyID == "fb ö%1")
        #expect(user.phone == "+14155550100" && user.email == "ann@example.com" && user.name == "Ann")
        #expect(user.role == "admin" && !user.isActive && user.createdAt == 7)
        #expect(user.claims.legacyID == "fb ö%1")
        #expect(facts.password?.hash.hasPrefix("$2a$06$") == true)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `metadata is imported with the user, and a wrong one refuses the line`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let app = JSONValue.null.merged(
            with: try StrictJSON.decode(
                JSONValue.self, from: Array(#"{"plan":"pro","none":null}"#.utf8), limits: .own))
        let ann = ImportedUser(phone: "+14155550100", metadata: ImportedMetadata(app: app, own: .null))
        let added = try await add(storage, ann)
        #expect(added.map(\.isAdded) == [true])
        let user = try #require(try await storage.queries.find(.identity(.phone("+14155550100")))?.user)
        #expect(user.metadata == UserMetadata(app: MetadataObject(stored: #"{"plan":"pro"}"#)))
        for wrong in [JSONValue.array([]), .string(String(repeating: "x", count: 5_000)), .integer(1)] {
            let refused = try await add(
                storage, ImportedUser(phone: "+14155550101", metadata: ImportedMetadata(own: wrong)))
            #expect(refused.first?.problem?.hasPrefix("metadata.own is no object") == true)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `who was moved in has not signed in until he does`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        _ = try await add(storage, ImportedUser(email: email.value, emailVerified: true, phone: "+14155550100"))
        func seen() async throws -> SeenUser? {
            try await storage.queries.find(.identity(email))
        }
        #expect(try #require(try await seen()).lastSignInAt == nil)
        try await storage.users.noteUses([email: 1_500])
        #expect(try await seen()?.lastSignInAt == 1_500)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an address that nobody has verified holds nothing, and has no password`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let ann = ImportedUser(
            email: "ann@example.com", emailVerified: false, phone: "+14155550100",
            passwordHash: "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i")
        #expect(try await add(storage, ann).map(\.isAdded) == [true])
        let facts = try await storage.users.facts(
            UserQuestion(.identity(email), call: nil, askedAt: 1_000))
        #expect(facts.holder == nil && facts.claimant?.user.phone == "+14155550100")
        let holder = try await storage.users.signInFacts(.phone("+14155550100"), proofID: "p", now: 1_000).holder
        // The same address, which the user does not have, is imported for them again.
        #expect(try await add(storage, ann).map(\.isAdded) == [false])
        let mine = try await storage.users.facts(
            UserQuestion(.account(try #require(holder).id), askedAt: 1_000))
        #expect(mine.password == nil)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `what is another's stays his, and the others of the call come in`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let results = try await add(
            storage, ImportedUser(legacyID: "1", phone: "+14155550100"),
            ImportedUser(legacyID: "2", phone: "+14155550100"),
            ImportedUser(id: "0190163d-8694-739b-aea5-966c26f8ad91", legacyID: "3", phone: "+14155550101"),
            ImportedUser(id: "0190163D-8694-739B-AEA5-966C26F8AD91", legacyID: "4", phone: "+14155550102"),
            ImportedUser(email: "b@example.com", emailVerified: true, phone: "+14155550100"),
            ImportedUser(legacyID: "5", phone: "+14155550105"))
        #expect(results.map(\.isAdded) == [true, false, true, false, false, true])
        #expect(results[2].userID == "usr_0190163d8694739baea5966c26f8ad91")
        #expect(
            results.compactMap(\.problem) == [
                "phone is another user's", "id is another user's", "phone is another user's",
            ])
        #expect(try await storage.queries.isOwned(VerifiedIdentity(kind: .email, value: "b@example.com")) == false)
    }

    @Test(arguments: [
        (ImportedUser(), "Give at least one of email, phone and identities"),
        (ImportedUser(email: "a@example.com"), "emailVerified is missing"),
        (ImportedUser(email: "nonsense", emailVerified: true), "email is not a valid email address"),
        (ImportedUser(phone: "12"), "phone is not a valid phone number"),
        (ImportedUser(id: "abc", phone: "+14155550100"), "id is not a UUID"),
        // Rows that outlive their user name it.
        (ImportedUser(id: "00000000-0000-0000-0000-000000000000", phone: "+14155550100"), "id must not be all zeros"),
        (ImportedUser(id: "usr_00000000000000000000000000000000", phone: "+14155550100"), "id must not be all zeros"),
        (ImportedUser(legacyID: "a\u{0}b", phone: "+14155550100"), "legacyID has a zero character"),
        (
            ImportedUser(email: "a@example.com", emailVerified: false, role: "admin"),
            "role needs a verified email, a phone or an identity"
        ),
        (ImportedUser(legacyID: "", phone: "+14155550100"), "legacyID is empty or longer than 128 characters"),
        (
            ImportedUser(legacyID: String(repeating: "x", count: 129), phone: "+14155550100"),
            "legacyID is empty or longer than 128 characters"
        ),
        (
            ImportedUser(phone: "+14155550100", name: "\u{202E}x"),
            "invalid name: at most 100 characters, no control or direction characters"
        ),
        (
            ImportedUser(phone: "+14155550100", role: "a b"),
            "role is not 1 to 64 of A-Z a-z 0-9 . _ -, and not anon, service_role, postgres or supabase_*"
        ),
        (ImportedUser(phone: "+14155550100", createdAt: 1_001), "createdAt is not a Unix time from 0 to now"),
        (ImportedUser(phone: "+14155550100", createdAt: -1), "createdAt is not a Unix time from 0 to now"),
        (ImportedUser(phone: "+14155550100", passwordHash: "$2b$"), "passwordHash is allowed only with an email"),
    ])
    func `a line that cannot be is named`(_ user: ImportedUser, _ problem: String) async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        #expect(try await add(storage, user) == [ImportResult(problem: problem)])
    }

    @Test(arguments: [
        // In our form, and of a cost that a policy may set.
        (
            "$argon2id$v=19$m=262144,t=10,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "added without a password: passwordHash costs more than a login may"
        ),
        (
            "$2a$31$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i",
            "added without a password: passwordHash costs more than a login may"
        ),
        ("5f4dcc3b5aa765d61d8327deb882cf99", "added without a password: passwordHash has no known form"),
    ])
    func `a user whose hash is not accepted is added without a password, and a repeat does not say so`(
        hash: String, note: String
    ) async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        let user = ImportedUser(email: "a@example.com", emailVerified: true, passwordHash: hash)
        let results = try await add(storage, user)
        #expect(results.map(\.note) == [note] && results.map(\.isAdded) == [true])
        #expect(results.compactMap(\.problem).isEmpty)
        let question = UserQuestion(.address("a@example.com"), call: nil, askedAt: 1_000)
        let facts = try await storage.users.facts(question)
        #expect(facts.holder != nil && facts.password == nil)
        #expect(try await add(storage, user).map(\.note) == [nil])
    }

    @Test func `a hash that the process has no memory for is named, and so are its bounds`() async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        var importer = try importer(storage)
        importer.hashMemoryKiBMax = 32_768
        let user = ImportedUser(
            email: "a@example.com", emailVerified: true,
            passwordHash: "$argon2id$v=19$m=32769,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA")
        let answer = try await importer(ImportUsersRequest(users: [user]), requestID: nil)
        #expect(
            answer.results == [
                ImportResult(problem: "passwordHash fills 32769 KiB, and user-service has 32768 for one")
            ])
    }

    @Test func `more than a call holds is refused whole`() async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        let users = (0...100).map { ImportedUser(phone: "+1415555\(1000 + $0)") }
        await #expect(throws: InvalidInput.self) {
            try await importer(storage)(ImportUsersRequest(users: users), requestID: nil)
        }
        #expect(try await !storage.queries.isOwned(.phone("+14155551000")))
    }
}
