import AuthAPI
import GRDB
import InternalAPI
import Policies
import Storage
import Testing

@testable import SQLiteStore
@testable import UserCore

@Suite struct AttributeTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func patch(
        _ user: SignedInUser, _ values: [String: AttributeValue]
    ) async throws -> OperationOutcome<UserDetails, BearerBodyRefusal> {
        try await fixture.update(
            user, UpdateUserRequest(attributes: UserAttributes(values)), requestID: "r-2")
    }

    private func change(_ user: SignedInUser, _ attributes: [String: String]) async throws -> ChangeUser.Outcome {
        try await fixture.change(
            ChangeUserRequest(userID: user.id.text(prefix: UserFixture.prefix), attributes: attributes),
            requestID: "r-1")
    }

    private func shown(_ user: SignedInUser, _ rules: AttributeRules? = nil) async throws -> [String: AttributeValue] {
        let read = ReadProfile(
            queries: fixture.store, userIDPrefix: UserFixture.prefix, attributes: rules ?? UserFixture.attributes)
        return try await read(user).answered.attributes.values
    }

    private func stored() async throws -> [String] {
        try await fixture.database.withReader { try String.fetchAll($0, sql: "SELECT attributes FROM users") }
    }

    private func details() async throws -> [String] {
        try await fixture.database.withReader {
            try String.fetchAll($0, sql: "SELECT detail FROM audit WHERE detail IS NOT NULL ORDER BY number")
        }
    }

    @Test func `a user who has set nothing has the defaults, and nothing is stored`() async throws {
        let user = try await fixture.signedIn()
        #expect(try await shown(user) == ["isChecker": .boolean(false), "seats": .integer(1)])
        #expect(try await stored() == ["{}"])
    }

    @Test func `a user sets what is his, and what is the operator's or nobody's is passed over`() async throws {
        let user = try await fixture.signedIn()
        _ = try await patch(
            user, ["isChecker": .boolean(true), "plan": .string("pro"), "seats": .string("x"), "other": .integer(1)])
        #expect(try await shown(user) == ["isChecker": .boolean(true), "seats": .integer(1)])
        #expect(try await stored() == [#"{"isChecker":true}"#])
    }

    @Test func `a value of another type is refused, and changes nothing`() async throws {
        let user = try await fixture.signedIn(name: "Betty")
        for value in [AttributeValue.integer(1), .string("true")] {
            await #expect(throws: InvalidInput.attribute("isChecker")) { try await patch(user, ["isChecker": value]) }
        }
        #expect(try await stored() == ["{}"])
    }

    @Test func `the operator sets all that are declared; the audit names them, never their values`() async throws {
        let user = try await fixture.signedIn()
        #expect(try await change(user, ["plan": "canary", "seats": "5", "isChecker": "true"]).isDone)
        #expect(
            try await shown(user)
                == ["isChecker": .boolean(true), "plan": .string("canary"), "seats": .integer(5)])
        #expect(try await change(user, ["plan": "canary"]).isDone)
        #expect(try await details() == ["isChecker,plan,seats"])
        #expect(fixture.tokenService.rights.isEmpty && fixture.tokenService.revocations.isEmpty)
        let declared = ["isChecker", "plan", "seats"]
        let refusals: [([String: String], InvalidInput)] = [
            (["other": "1"], .undeclared("other", declared: declared)),
            (["seats": "many"], .written("seats", .integer)),
            (["isChecker": "1"], .written("isChecker", .boolean)), (["plan": "a\nb"], .written("plan", .string)),
            (["plan": "b", "x": ""], .undeclared("x", declared: declared)),
        ]
        for (wrong, refusal) in refusals {
            await #expect(throws: refusal) { try await change(user, wrong) }
        }
        #expect(try await shown(user)["plan"] == .string("canary"))
        let key = user.id.text(prefix: UserFixture.prefix)
        let seen = try await fixture.lookUp(FindUserRequest(key: key), requestID: nil).answered
        #expect(seen.attributes?["plan"] == .string("canary"))
    }

    @Test func `what the policy no longer declares, or with another type, is kept and not shown`() async throws {
        let user = try await fixture.signedIn()
        _ = try await change(user, ["plan": "pro", "seats": "5"])
        let later = AttributeRules(declared: [
            AttributePolicy(name: "seats", kind: .string, setBy: .operator, defaultValue: .string("few"))
        ])
        #expect(try await shown(user, later) == ["seats": .string("few")])
        _ = try await patch(user, ["isChecker": .boolean(true)])
        #expect(try await stored() == [#"{"isChecker":true,"plan":"pro","seats":5}"#])
    }

    @Test func `attributes that are no JSON object are a damaged row, not a wrong user`() async throws {
        let user = try await fixture.signedIn()
        try await fixture.execute("UPDATE users SET attributes = '[1]'")
        await #expect(throws: StorageError.self) { try await fixture.store.user(user.id) }
    }
}
