import AuthAPI
import FoundationEssentials
import GRDB
import InternalAPI
import Storage
import Testing

@testable import SQLiteStore
@testable import UserCore

@Suite struct ProfileTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func update(
        _ user: SignedInUser, name: String? = nil, isChecker: Bool? = nil
    ) async throws -> OperationOutcome<UserDetails, BearerBodyRefusal> {
        let attributes = UserAttributes(isChecker.map { ["isChecker": .boolean($0)] } ?? [:])
        return try await fixture.update(
            user, UpdateUserRequest(name: name, attributes: attributes), requestID: "r-2")
    }

    @Test func `what is given changes and what is absent stays`() async throws {
        let user = try await fixture.signedIn(name: "Betty")
        #expect(try await update(user, isChecker: true).answered.name == "Betty")
        let renamed = try await update(user, name: "Élise").answered
        #expect(renamed.name == "Élise" && renamed.attributes["isChecker"] == .boolean(true))
        #expect(try await fixture.read(user) == .answer(renamed))
    }

    @Test func `a name is removed by null, once`() async throws {
        let user = try await fixture.signedIn(name: "Betty")
        let removal = UpdateUserRequest(removesName: true)
        #expect(try await fixture.update(user, removal, requestID: nil).answered.name == nil)
        #expect(try await fixture.update(user, removal, requestID: nil).answered.name == nil)
        #expect(try await fixture.auditEvents() == ["user.created", "user.updated"])
        let both = UpdateUserRequest(name: "Elsa", removesName: true)
        await #expect(throws: InvalidInput.name) { try await fixture.update(user, both, requestID: nil) }
    }

    @Test func `changes at once all hold`() async throws {
        for _ in 0..<10 {
            let user = try await fixture.signedIn(name: "Betty")
            async let renamed = update(user, name: "Elsa")
            async let checked = update(user, isChecker: true)
            _ = (try await renamed.answered, try await checked.answered)
            let after = try await fixture.read(user).answered
            #expect(after.name == "Elsa" && after.attributes["isChecker"] == .boolean(true))
        }
    }

    @Test func `a repeat is no second event, and the audit names members, not values`() async throws {
        let user = try await fixture.signedIn(name: "Betty")
        _ = try await update(user, name: "Canary", isChecker: true)
        _ = try await update(user, name: "Canary", isChecker: true)
        #expect(try await fixture.auditEvents() == ["user.created", "user.updated"])
        let rows = try await fixture.database.withReader { database in
            try Row.fetchAll(database, sql: "SELECT * FROM audit").map(\.description)
        }
        #expect(rows.last?.contains("name,isChecker") == true)
        #expect(!rows.joined().contains("Canary") && !rows.joined().contains("5551234567"))
    }

    @Test func `a changed audit record is found`() async throws {
        _ = try await fixture.signedIn()
        #expect(try await fixture.auditEvents() == ["user.created"])
        try await fixture.execute("UPDATE audit SET event = 'x'")
        await #expect(throws: StorageError(.corrupt, "slot 0: record 1 is not as it was written")) {
            _ = try await fixture.database.read { try AuditVerification.run(in: $0) }
        }
    }

    @Test(arguments: [
        "", "   ", "a\u{0}b", "a\nb", "a\u{2028}b", "a\u{202E}b", "a\u{E000}", String(repeating: "x", count: 101),
    ])
    func `a name that cannot stand is refused`(name: String) async throws {
        let user = try await fixture.signedIn(name: "Betty")
        await #expect(throws: InvalidInput.name) { try await update(user, name: name) }
        #expect(try await fixture.read(user).answered.name == "Betty")
    }

    @Test func `an inactive user is told so, and one that is given up is nobody`() async throws {
        let user = try await fixture.signedIn()
        try await fixture.execute("UPDATE users SET is_active = 0")
        #expect(try await update(user, name: "x") == .refused(.accountInactive))
        #expect(try await fixture.read(user) == .refused(.accountInactive))
        try await fixture.execute("UPDATE users SET is_active = 1")
        _ = try await fixture.deletion()(user, requestID: nil)
        #expect(try await update(user, name: "x") == .refused(.invalidToken))
        #expect(try await fixture.auditEvents().contains("user.updated") == false)
    }
}

@Suite struct DisplayNameTests {
    @Test func `names are normalised and trimmed`() {
        #expect(DisplayName("\u{00A0} Betty\u{3000}")?.text == "Betty")
        let composed = DisplayName("E\u{0301}lise")?.text
        #expect(composed.map { Array($0.unicodeScalars) } == Array("\u{00C9}lise".unicodeScalars))
    }

    @Test func `a mark on a leading space stays with its space`() {
        #expect(DisplayName(" \u{0301}a")?.text == " \u{0301}a")
    }

    @Test func `length is counted in characters and bounded in bytes`() {
        let family = "👨‍👩‍👧‍👦"
        #expect(DisplayName(String(repeating: "é", count: 100)) != nil)
        #expect(DisplayName(String(repeating: "é", count: 101)) == nil)
        #expect(DisplayName(family)?.text == family)
        #expect(DisplayName("a" + String(repeating: "\u{0316}", count: 300)) == nil)
        #expect(DisplayName(String(repeating: "a", count: 10_000_000)) == nil)
    }
}

@Suite struct UserIDTests {
    @Test func `an id has the time, version and variant of a UUIDv7`() {
        let id = UserID(milliseconds: 0x0123_4567_89AB) { [UInt8](repeating: 0xFF, count: $0) }
        #expect(id.text(prefix: "usr_") == "usr_0123456789ab7fffbfffffffffffffff")
    }

    @Test func `the public form is read back in one spelling only`() {
        let text = "usr_0123456789ab7fffbfffffffffffffff"
        #expect(UserID(text: text, prefix: "usr_")?.text(prefix: "usr_") == text)
        let wrong = [
            "", "usr_", "usr_0123456789AB7fffbfffffffffffffff", "0123456789ab7fffbfffffffffffffff", text + "0",
            text + "00",
            "adm_0123456789ab7fffbfffffffffffffff", "usr_0123456789ab7fffbffffffffffffff\u{0301}f",
        ]
        for text in wrong { #expect(UserID(text: text, prefix: "usr_") == nil, "\(text)") }
    }

    @Test func `ids of later times sort later`() {
        let ids = (0..<50).map { UserID(milliseconds: 1000 + $0, random: { [UInt8](repeating: 0, count: $0) }) }
        #expect(ids.map { $0.text(prefix: "") } == ids.map { $0.text(prefix: "") }.sorted())
    }
}
