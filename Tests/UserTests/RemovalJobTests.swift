import AuthAPI
import Foundation
import GRDB
import InternalAPI
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

@Suite struct RemovalJobTests {
    private let fixture: UserFixture
    private let phone = "+15551234567"

    init() throws { fixture = try UserFixture() }

    /// A user whose account is scheduled for deletion, on the day of the removal.
    private func due(_ phone: String? = nil, graceDays: Int = 30) async throws -> SignedInUser {
        let user = try await fixture.signedIn(phone ?? self.phone, name: "Betty Testcase")
        _ = try await fixture.deletion(graceDays: graceDays)(user, requestID: nil)
        fixture.clock.advance(seconds: Int64(graceDays) * 86_400)
        return user
    }

    private func removed() async throws -> [UserID] { try await fixture.store.removed(behind: nil, limit: 100) }

    @Test func `on his day a user goes with all that is keyed by him, and the others stay`() async throws {
        let user = try await due()
        let bystander = try await fixture.signedIn("+15551234568")
        await fixture.removal().round()
        #expect(try await fixture.store.user(user.id) == nil)
        #expect(try await fixture.store.user(bystander.id) != nil)
        #expect(try await fixture.count("identities") == 1)
        #expect(try await removed() == [user.id])
        #expect(try await fixture.auditEvents().contains("user.removed"))
        await fixture.worker().round()
        let id = user.id.text(prefix: UserFixture.prefix)
        #expect(fixture.tokenService.removals == [RemoveUserRequest(userID: id, epoch: 3)])
        #expect(fixture.otpService.forgotten.isEmpty)
        await fixture.worker(.otp).round()
        #expect(fixture.otpService.forgotten == [ForgetNetworksRequest(phone: phone, until: fixture.clock.seconds)])
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `while one receiver is away the other hears of it, and the number waits sealed`() async throws {
        _ = try await due()
        await fixture.removal().round()
        fixture.otpService.setAway(true)
        for lane in OutboxMessage.Lane.allCases { await fixture.worker(lane).round() }
        #expect(fixture.tokenService.removals.count == 1)
        #expect(try await fixture.outbox.standing(.otp).pending == 1)
        #expect(try await fixture.outbox.standing(.token).pending == 0)
        await fixture.database.boundLog()
        for trace in try Trace.files(in: fixture.folder) {
            for canary in Canary.number(phone) { #expect(!canary.stands(in: trace.bytes), "\(trace.name)") }
        }
        fixture.otpService.setAway(false)
        fixture.clock.advance(seconds: 15)
        await fixture.worker(.otp).round()
        #expect(fixture.otpService.forgotten.map(\.phone) == [phone])
    }

    @Test func `a number that another account has by then is not forgotten`() async throws {
        _ = try await due()
        _ = try await fixture.signedIn(phone)
        await fixture.removal().round()
        await fixture.worker(.otp).round()
        #expect(try await fixture.count("removed_users") == 1)
        #expect(fixture.otpService.forgotten.isEmpty)
    }

    @Test func `a message opens in its own row alone`() async throws {
        let (user, other) = (try await fixture.signedIn(phone).id, try await fixture.signedIn("+15551234568").id)
        let message = try fixture.seal.message(.forgetNetworks, encoding: ["a": 1], about: user)
        #expect(fixture.seal.open(message, about: user) == Array(#"{"a":1}"#.utf8))
        #expect(fixture.seal.open(message, about: other) == nil)
        let moved = OutboxMessage(kind: .removeUser, payload: message.payload)
        #expect(fixture.seal.open(moved, about: user) == nil)
        #expect(OutboxSeal(ring: try UserFixture.ring()).open(message, about: user) == nil)
    }

    @Test func `a second before his day nothing goes, and he can be restored; on it he cannot`() async throws {
        let user = try await due()
        fixture.clock.advance(seconds: -1)
        await fixture.removal().round()
        let request = RestoreUserRequest(userID: user.id.text(prefix: UserFixture.prefix))
        #expect(try await fixture.restoration(request, requestID: nil) == .answer(Done()))
        fixture.clock.advance(seconds: 1)
        await fixture.removal().round()
        #expect(try await fixture.read(user) != .refused(.invalidToken))
        _ = try await fixture.deletion(graceDays: 0)(user, requestID: nil)
        #expect(try await fixture.restoration(request, requestID: nil) == .refused(.removalDue))
        await fixture.removal().round()
        #expect(try await fixture.restoration(request, requestID: nil) == .refused(.notFound))
        #expect(try await removed() == [user.id])
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `who signs in around the last second is restored or new, never both`(second: Int64) async throws {
        let user = try await due()
        fixture.clock.advance(seconds: second)
        let attestation = try fixture.attestation(.phone(phone), id: "last")
        async let resolved = fixture.resolver()(attestation)
        await fixture.removal().round()
        let answer = try await resolved.answered
        fixture.clock.advance(seconds: 2)
        await fixture.removal().round()
        let isOld = answer.user.id == user.id.text(prefix: UserFixture.prefix)
        #expect(answer.restored == isOld && answer.isNewUser == !isOld && isOld == (second < 0))
        #expect(try await removed() == (isOld ? [] : [user.id]))
        #expect(try await fixture.count("users") == 1)
        #expect(try await fixture.count("identities") == 1)
        #expect(try await fixture.resolver()(attestation).answered.user.id == answer.user.id)
    }

    @Test func `a proof from before the removal makes no new account`() async throws {
        let user = try await fixture.signedIn(phone)
        _ = try await fixture.signIn(phone, id: "early").answered
        _ = try await fixture.deletion(graceDays: 0)(user, requestID: nil)
        await fixture.removal().round()
        #expect(try await removed() == [user.id])
        #expect(try await fixture.signIn(phone, id: "early") == .refused(.attestationRefused))
        #expect(try await fixture.count("users") == 0)
    }

    private static func lease(_ holder: String) -> Lease { Lease(name: "removal", holder: holder, lifetimeSeconds: 30) }

    @Test func `of two replicas one removes, and what waited to be told of him is overtaken`() async throws {
        let user = try await fixture.signedIn(phone, name: "Betty Testcase")
        fixture.tokenService.setAway(true)
        await #expect(throws: Unconfirmed.self) {
            try await fixture.deletion(graceDays: 30)(user, requestID: nil)
        }
        fixture.clock.advance(seconds: 30 * 86_400)
        #expect(try await fixture.count("outbox") == 1)
        let replica = try fixture.openReplica()
        let due = try await fixture.removals.due(limit: 9, now: fixture.clock.seconds)
        #expect(due.map(\.user.id) == [user.id])
        let messages = try fixture.removalMessages.about(due[0].user, now: 0)
        let outcomes = try await withThrowingTaskGroup(of: RemovalOutcome.self) { group in
            for (holder, database) in [("a", fixture.database), ("b", replica)] {
                group.addTask { [clock = fixture.clock] in
                    try await Removals(database: database).remove(
                        due[0], messages: messages, lease: Self.lease(holder), now: clock.seconds)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .removed }.count == 1 && outcomes.contains(.notOurTurn))
        let kinds = try await fixture.database.withReader { try String.fetchAll($0, sql: "SELECT kind FROM outbox") }
        #expect(kinds == ["remove_user", "forget_networks"])
    }

    @Test func `when the message cannot be written nothing of him goes`() async throws {
        let user = try await due()
        let found = try await fixture.removals.due(limit: 1, now: fixture.clock.seconds)
        try await fixture.breakOutbox()
        await #expect(throws: StorageError.self) {
            try await fixture.removals.remove(
                found[0], messages: try fixture.removalMessages.about(found[0].user, now: 0), lease: Self.lease("a"),
                now: fixture.clock.seconds)
        }
        #expect(try await fixture.store.user(user.id) != nil)
        #expect(try await fixture.count("identities") == 1)
        #expect(try await removed().isEmpty)
        #expect(try await fixture.count("outbox") == 0)
    }

    @Test func `one who cannot be removed does not hold up the others`() async throws {
        let stuck = try await due("+15551234569")
        let user = try await due()
        try await fixture.execute(
            """
            CREATE TRIGGER stuck BEFORE DELETE ON users WHEN old.created_at = \(TestClock.startSeconds)
            BEGIN SELECT RAISE(ABORT, 'stuck'); END
            """)
        await fixture.removal().round()
        #expect(try await removed() == [user.id])
        #expect(try await fixture.store.user(stuck.id) != nil)
    }

    @Test func `neither number, name nor id is left in the file and its log but where it is said`() async throws {
        let user = try await due()
        await fixture.removal().round()
        for lane in OutboxMessage.Lane.allCases { await fixture.worker(lane).round() }
        await fixture.database.boundLog()
        let canaries = Canary.number(phone) + [Canary("Betty Testcase")]
        for trace in try Trace.files(in: fixture.folder) {
            for canary in canaries { #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)") }
        }
        // The bare id stands once: among the removed.
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/users.sqlite"))
        var (places, start) = (0, file.startIndex)
        while let place = file.range(of: Data(user.id.bytes), in: start..<file.endIndex) {
            (places, start) = (places + 1, place.upperBound)
        }
        #expect(places == 1)
        #expect(FileManager.default.fileExists(atPath: fixture.folder + "/users.sqlite-wal"))
    }

    @Test func `a thousand who are due go in one round`() async throws {
        let day = fixture.clock.seconds
        try await fixture.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO users
            SELECT randomblob(16), randomblob(16), NULL, '{}', 'user', 1, 1, 1, 0, 0, 0, \(day), 0, NULL, NULL, NULL FROM n
            """)
        await fixture.removal().round()
        #expect(try await fixture.count("users") == 0)
        #expect(try await fixture.count("removed_users") == 1000)
    }

    @Test func `an operator deletes as the user himself does`() async throws {
        let user = try await fixture.signedIn(phone)
        let request = DeleteUserRequest(userID: user.id.text(prefix: UserFixture.prefix))
        let day = fixture.clock.seconds + 30 * 86_400
        #expect(try await fixture.deletion()(request, requestID: "r-1") == .answer(DeletionSchedule(dueAt: day)))
        #expect(fixture.tokenService.revocations.map(\.epoch) == [2])
        for id in ["", "usr_", "usr_0", "%"] {
            #expect(try await fixture.deletion()(DeleteUserRequest(userID: id), requestID: nil) == .refused(.notFound))
        }
    }
}
