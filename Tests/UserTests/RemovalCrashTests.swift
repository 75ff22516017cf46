import Foundation
import GRDB
import InternalAPI
import Testing

@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// The state after a `kill -9` during a removal: the log is written from front to end, so that any write at which the
/// process dies leaves the beginning of what it would have written.
@Suite struct RemovalCrashTests {
    private static let logHeaderBytes = 32
    private static let frameBytes = 24 + 4096

    /// Rows of users, identities, the outbox, the removed, and records of removals.
    private func rows(_ file: Data, _ log: Data, _ fixture: UserFixture) async throws -> [Int] {
        let folder = fixture.folder + "/cut-\(log.count)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try file.write(to: URL(fileURLWithPath: folder + "/users.sqlite"))
        try log.write(to: URL(fileURLWithPath: folder + "/users.sqlite-wal"))
        let database = try SQLiteDatabase.open(
            path: folder + "/users.sqlite", migrations: UserDatabase.fileSteps, logger: fixture.logger)
        return try await database.withReader { database in
            try [
                "users", "identities", "outbox", "removed_users", "audit WHERE event = 'user.removed'",
                "resolutions WHERE user_id = zeroblob(16)", "apple_tokens",
            ].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1 }
        }
    }

    @Test func `killed at any write, a removal stands whole or not at all`() async throws {
        let fixture = try UserFixture()
        let user = try await fixture.signedIn("+15551234567", name: "Betty")
        let apple = VerifiedIdentity(kind: .apple, value: "000123.fake")
        try await fixture.store.put([.assignIdentity(apple, to: user.id)], now: fixture.clock.seconds)
        let token = AppleToken(user: user.id, subject: apple.value, clientID: "com.howru", payload: "x", signedInAt: 0)
        #expect(try await fixture.outbox.keep(token, replacing: 0, now: fixture.clock.seconds) == .stored)
        _ = try await fixture.deletion(graceDays: 0)(user, requestID: nil)
        await fixture.database.boundLog()
        let path = fixture.folder + "/users.sqlite"
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        await fixture.removal().round()
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        let frames = (log.count - Self.logHeaderBytes) / Self.frameBytes
        #expect(frames > 5)
        var whole = 0
        for frame in 0...frames {
            let end = Self.logHeaderBytes + frame * Self.frameBytes
            // At a frame's end, and in its midst.
            for length in Set([end, min(log.count, end + Self.frameBytes / 2)]) {
                let rows = try await rows(before, log.prefix(length), fixture)
                #expect(
                    rows == [1, 2, 0, 0, 0, 0, 1] || rows == [0, 0, 3, 1, 1, 1, 0],
                    "\(length) bytes of \(log.count): \(rows)")
                if rows[0] == 0 { whole += 1 }
            }
        }
        #expect(whole > 0)
    }
}
