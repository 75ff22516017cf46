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
        for _ in 0..<2 { #expect(try await change(user, role: "admin").isDone) }
        let after = try #require(try await fixture.store.user(user.id))
        #expect(after.role == "admin" && after.version == before.version + 1 && after.epoch == before.epoch)
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(
            fixture.tokenService.rights == [
                ChangeRightsRequest(userID: id, claims: after.claims)
            ])
        #expect(fixture.tokenService.revocations.isEmpty)
        #expect(try await fixture.auditEvents() == ["user.created", "user.rights_changed"])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `it is confirmed once all that waits about the user is, however much that is`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        for number in 0..<OutboxLimits.batchMax {
            await #expect(throws: Unconfirmed.self) { try await change(user, role: "role-\(number)") }
        }
        fixture.tokenService.setAway(false)
        #expect(try await change(user, isActive: false).isDone)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `what is left for the worker is not confirmed`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        for number in 0..<OutboxLimits.batchMax * OutboxLimits.ownBatchesMax {
            await #expect(throws: Unconfirmed.self) { try await change(user, role: "role-\(number)") }
        }
        fixture.tokenService.setAway(false)
        await #expect(throws: Unconfirmed.self) { try await change(user, isActive: false) }
        #expect(try await change(user, isActive: false).isDone)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
    }

    @Test func `a deactivation raises the epoch and ends the sessions; signing in works again once it is lifted`()
        async throws
    {
        let user = try await fixture.signedIn()
        #expect(try await change(user, isActive: false).isDone)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.inactive])
        #expect(try await fixture.read(user) == .refused(.accountInactive))
        #expect(try await fixture.signIn() == .refused(.accountInactive))
        #expect(try await change(user, isActive: true).isDone)
        #expect(fixture.tokenService.revocations.count == 1)
        _ = try await fixture.signIn().answered
    }

    @Test func `without token-service it is not confirmed, and the outbox tries until it is`() async throws {
        let user = try await fixture.signedIn()
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) { try await change(user, role: "guest", isActive: false) }
        await #expect(throws: Unconfirmed.self) { try await change(user, role: "guest", isActive: false) }
        #expect(try await fixture.count("outbox") == 2)
        fixture.tokenService.setAway(false)
        fixture.clock.advance(seconds: 15)
        await fixture.worker().round()
        #expect(fixture.tokenService.rights.map(\.claims.role) == ["guest"])
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
            #expect(try await fixture.change(request, requestID: nil) == .refused(.notFound))
        }
    }

    // MARK: - Phone number and name

    private func renumber(
        _ user: SignedInUser, to phone: String, keepsSessions: Bool? = nil
    ) async throws -> ChangeUser.Outcome {
        try await fixture.change(
            ChangeUserRequest(
                userID: user.id.text(prefix: UserFixture.prefix), phone: phone, keepsSessions: keepsSessions),
            requestID: nil)
    }

    @Test func `another number opens the account from now on, the old one no more, and all sessions end`() async throws
    {
        let user = try await fixture.signedIn("+15551234567")
        let before = try #require(try await fixture.store.user(user.id))
        #expect(
            try await renumber(user, to: "+1 (555) 123-4568").changed
                == ChangedUser(changed: ["phone"], endsSessions: true))
        let after = try #require(try await fixture.store.user(user.id))
        #expect(after.phone == "+15551234568" && after.epoch == before.epoch + 1 && after.version == before.version + 1)
        #expect(fixture.tokenService.revocations.map(\.reason) == [.admin])
        #expect(fixture.tokenService.rights.map(\.claims.phone) == ["+15551234568"])
        #expect(try await fixture.signedIn("+15551234568").id == user.id)
        #expect(try await fixture.signedIn("+15551234567").id != user.id)
        // A second run changes nothing, and says so.
        #expect(try await renumber(user, to: "+15551234568").changed == ChangedUser(changed: []))
        #expect(try await fixture.store.user(user.id)?.epoch == after.epoch)
    }

    @Test func `with the sessions kept only their claims change`() async throws {
        let user = try await fixture.signedIn("+15551234567")
        let before = try #require(try await fixture.store.user(user.id))
        #expect(try await renumber(user, to: "+15551234568", keepsSessions: true).changed?.endsSessions == false)
        #expect(try await fixture.store.user(user.id)?.epoch == before.epoch)
        #expect(fixture.tokenService.revocations.isEmpty)
        #expect(fixture.tokenService.rights.map(\.claims.phone) == ["+15551234568"])
    }

    @Test func `a number of somebody else is refused, and one that waits for its deletion is taken`() async throws {
        let user = try await fixture.signedIn("+15551234567")
        let other = try await fixture.signedIn("+15551234568")
        let id = other.id.text(prefix: UserFixture.prefix)
        #expect(try await renumber(user, to: "+15551234568").isRefused(.taken, naming: id))
        _ = try await fixture.deletion()(other, requestID: nil)
        let deletion = try await fixture.store.user(other.id)?.deletion
        #expect(try await renumber(user, to: "+15551234568").changed?.takenFrom == id)
        let given = try #require(try await fixture.store.user(other.id))
        #expect(given.phone == nil && given.deletion == deletion)
        #expect(try await fixture.signedIn("+15551234568").id == user.id)
    }

    @Test func `the reviewers' number is not taken, and their account gets no other`() async throws {
        let user = try await fixture.signedIn("+15551234567")
        let reviewers = try fixture.signedIn(
            try await fixture.signIn("+15551234568", by: Attestation.reviewMethod).answered)
        let id = reviewers.id.text(prefix: UserFixture.prefix)
        #expect(try await renumber(user, to: "+15551234568").isRefused(.taken, naming: id))
        #expect(try await renumber(reviewers, to: "+15551234569").isRefused(.invalidRequest))
    }

    @Test func `a name is set and removed, and ends nothing`() async throws {
        let user = try await fixture.signedIn(name: "Betty")
        let id = user.id.text(prefix: UserFixture.prefix)
        let before = try #require(try await fixture.store.user(user.id))
        for (name, stored, changed) in [
            (" Bettina ", "Bettina", ["name"]), ("Bettina", "Bettina", []), ("", nil, ["name"]), ("", nil, []),
        ] as [(String, String?, [String])] {
            let outcome = try await fixture.change(ChangeUserRequest(userID: id, name: name), requestID: nil)
            #expect(outcome.changed?.changed == changed)
            #expect(try await fixture.store.user(user.id)?.name == stored)
        }
        let after = try #require(try await fixture.store.user(user.id))
        #expect(after.epoch == before.epoch && after.version == before.version)
    }

    @Test(arguments: ["", "5551234567", "+1555", "ann@example.com", "+15551234567890123", "usr_1"])
    func `anything but a whole number is refused`(_ text: String) async throws {
        let user = try await fixture.signedIn()
        await #expect(throws: InvalidInput.self) { _ = try await renumber(user, to: text) }
        #expect(try await fixture.store.user(user.id)?.phone == "+15551234567")
    }

    @Test func `an invitation of the new number ends with it`() async throws {
        let user = try await fixture.signedIn()
        let phone = VerifiedIdentity.phone("+15551234568")
        let invitation = Invitation(
            id: .new(), identity: phone, role: "admin", expiresAt: fixture.clock.seconds + 60)
        try await fixture.store.put([.addInvitation(invitation)], now: fixture.clock.seconds)
        #expect(try await renumber(user, to: phone.value).isDone)
        #expect(try await fixture.store.user(user.id)?.role == "user")
        #expect(try await fixture.store.invitation(of: phone, now: fixture.clock.seconds) == nil)
    }
}
