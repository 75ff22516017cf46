import InternalAPI
import Testing

@testable import UserCore

@Suite struct ChangeUserTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func change(
        _ user: SignedInUser, role: String? = nil, isActive: Bool? = nil
    ) async throws -> ChangeUser.Outcome {
        let request = ChangeUserRequest(
            userID: user.id.text(prefix: UserFixture.prefix), role: role, isActive: isActive)
        return try await fixture.change(request, requestID: "r-1")
    }

    @Test func `another role raises the version, once, and is told to token-service before the answer`() async throws {
        let user = try await fixture.signedIn()
        let before = try #require(try await fixture.store.user(user.id))
        for _ in 0..<2 { #expect(try await change(user, role: "admin") == .done) }
        let after = try #require(try await fixture.store.user(user.id))
        #expect(after.role == "admin" && after.version == before.version + 1 && after.epoch == before.epoch)
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(
            fixture.tokenService.rights == [
                ChangeRightsRequest(userID: id, role: "admin", version: before.version + 1)
            ])
        #expect(fixture.tokenService.revocations.isEmpty)
        #expect(try await fixture.auditEvents() == ["user.created", "user.rights_changed"])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `it is confirmed once all that waits about the user is, however much that is`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        for number in 0..<OutboxLimits.batchMax {
            #expect(try await change(user, role: "role-\(number)") == .unconfirmed)
        }
        fixture.tokenService.setAway(false)
        #expect(try await change(user, isActive: false) == .done)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `what is left for the worker is not confirmed`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        for number in 0..<OutboxLimits.batchMax * OutboxLimits.ownBatchesMax {
            #expect(try await change(user, role: "role-\(number)") == .unconfirmed)
        }
        fixture.tokenService.setAway(false)
        #expect(try await change(user, isActive: false) == .unconfirmed)
        #expect(try await change(user, isActive: false) == .done)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
    }

    @Test func `a deactivation raises the epoch and ends the sessions; signing in works again once it is lifted`()
        async throws
    {
        let user = try await fixture.signedIn()
        #expect(try await change(user, isActive: false) == .done)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
        #expect(try await fixture.read(user) == .inactive)
        #expect(try await fixture.signIn() == .inactive)
        #expect(try await change(user, isActive: true) == .done)
        #expect(fixture.tokenService.revocations.count == 1)
        _ = try await fixture.signIn().granted
    }

    @Test func `without token-service it is not confirmed, and the outbox tries until it is`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        #expect(try await change(user, role: "guest", isActive: false) == .unconfirmed)
        #expect(try await change(user, role: "guest", isActive: false) == .unconfirmed)
        #expect(try await fixture.count("outbox") == 2)
        fixture.tokenService.setAway(false)
        fixture.clock.advance(seconds: 15)
        await fixture.worker().round()
        #expect(fixture.tokenService.rights.map(\.role) == ["guest"])
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test(arguments: ["", "a b", "ä", "a\r\nX-User-Id: b", String(repeating: "a", count: 65)])
    func `what is no role is refused`(role: String) async throws {
        let user = try await fixture.signedIn()
        await #expect(throws: InvalidInput.change) { try await change(user, role: role) }
        #expect(try await fixture.store.user(user.id)?.role == User.defaultRole)
    }

    @Test func `a refused attribute is named, with what is declared or its type`() async throws {
        let user = try await fixture.signedIn()
        func title(_ attributes: [String: String]) async throws -> String? {
            let request = ChangeUserRequest(userID: user.id.text(prefix: UserFixture.prefix), attributes: attributes)
            do { _ = try await fixture.change(request, requestID: nil) } catch let error as InvalidInput {
                return error.message
            }
            return nil
        }
        #expect(
            try await title(["isChekcer": "true"])?.hasPrefix(
                "The policy declares no attribute \"isChekcer\"; it declares isChecker") == true)
        #expect(try await title(["isChecker": "1"]) == "The attribute isChecker is a boolean: use true or false")
        #expect(try await title(["seats": "four"])?.hasPrefix("The attribute seats is an integer") == true)
        #expect(try await title(["isChecker": "true", "seats": "4"]) == nil)
    }

    @Test func `a change of nothing, and of nobody, are refused`() async throws {
        let user = try await fixture.signedIn()
        await #expect(throws: InvalidInput.change) { try await change(user) }
        for id in ["", "usr_", "usr_0190a1b2c3d4e5f60718293a4b5c6d7e"] {
            let request = ChangeUserRequest(userID: id, role: "admin")
            #expect(try await fixture.change(request, requestID: nil) == .unknown)
        }
    }
}
