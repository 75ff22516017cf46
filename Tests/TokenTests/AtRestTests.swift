import AccessTokens
import CryptoPrimitives
import Foundation
import GRDB
import InternalAPI
import Testing

@testable import SQLiteStore
@testable import TokenCore

/// The data that a thief of the file finds, and the size of the file.
@Suite struct AtRestTests {
    @Test func `neither numbers, tokens nor private keys lie readable in the files`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        _ = try await replica.refresh(tokens.refreshToken)
        var needles = [Data(TokenFixture.phone.utf8), Data(TokenFixture.phone.dropFirst().utf8)]
        needles += [Data(tokens.refreshToken.utf8), Data(try #require(Hex.decode(tokens.refreshToken.dropFirst(3))))]
        let key = try #require(replica.keys.current.signingKey(for: .ES256))
        needles.append(Data(key.privateKeyDER))
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
            let contents = try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/" + name))
            for needle in needles { #expect(contents.range(of: needle) == nil, "\(name)") }
        }
        // The search would find what is there.
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: fixture.databasePath + "-wal")).range(of: Data("sms".utf8)) != nil
        )
    }

    @Test func `claims open in their own row alone`() throws {
        let seal = ClaimsSeal(ring: try TokenFixture.ring())
        let claims = UserClaims(phone: nil, email: "a@example.org", role: "admin", version: -1)
        let (mine, other) = (SessionID.new(at: 0), SessionID.new(at: 0))
        let sealed = try seal.seal(claims, for: mine)
        #expect(try seal.open(sealed, of: mine) == claims)
        let movedIn = UserClaims(phone: "+1", role: "user", version: 3, legacyID: "fb/ö 1")
        #expect(try seal.open(try seal.seal(movedIn, for: mine), of: mine) == movedIn)
        #expect(throws: ClaimsSeal.Unreadable.self) { try seal.open(sealed, of: other) }
        #expect(throws: ClaimsSeal.Unreadable.self) {
            try ClaimsSeal(ring: try TokenFixture.ring()).open(sealed, of: mine)
        }
    }

    @Test func `a session takes at most 350 bytes, also after it was rotated`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let (count, atOnce) = (2_048, 64)
        // Rows that come in another order than their numbers leave pages half full: with all of them at once, as many as
        // the machine's load likes.
        for start in stride(from: 0, to: count, by: atOnce) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in start..<start + atOnce {
                    let user = "usr_" + Hex.encode(SecureRandom.bytes(16))
                    let grant = try fixture.grant(id: "\(index)", user: user)
                    group.addTask {
                        guard case .answer(let tokens) = try await replica.issue(grant) else {
                            Issue.record("no session")
                            return
                        }
                        #expect(try await replica.refresh(tokens.refreshToken).result == .rotated)
                    }
                }
                try await group.waitForAll()
            }
        }
        let bytes = try await replica.database.withReader {
            try Int.fetchOne($0, sql: "SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'sessions%'") ?? 0
        }
        #expect(bytes / count <= 350, "\(bytes / count) bytes")
    }

    @Test func `replicas that start together agree on one signing key`() async throws {
        let fixture = try TokenFixture()
        let replicas = try await withThrowingTaskGroup(of: Replica.self) { group in
            for _ in 0..<4 { group.addTask { try await fixture.replica() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let names = Set(replicas.map { $0.keys.current.published.keys.compactMap(\.kid) })
        #expect(names.count == 1 && names.first?.count == 1)
        let token = try await replicas[0].signIn(fixture).accessToken
        _ = try replicas[3].claims(of: token, policy: fixture.policy, now: fixture.clock.now)
    }

    @Test func `a key that a replica adds is seen after its commit`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let outside = try DatabaseQueue(path: fixture.databasePath)
        try await outside.write { try $0.execute(sql: "UPDATE signing_keys SET state = 'gone'") }
        #expect(replica.keys.current.published.keys.count == 1)
        try await replica.keys.reloadIfChanged()
        #expect(replica.keys.current.published.keys.isEmpty)
    }

    @Test func `another storage key stops the start`() async throws {
        let fixture = try TokenFixture()
        _ = try await fixture.replica()
        await #expect(throws: SigningKeys.Unreadable.self) {
            try await fixture.replica(storageRing: try TokenFixture.ring())
        }
    }

    @Test func `every act leaves its audit record, and refreshes leave none`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        _ = try await replica.refresh(tokens.refreshToken)
        _ = try await replica.refresh(tokens.refreshToken)
        try await replica.revokeUser(epoch: 4)
        let events = try await replica.database.withReader {
            try String.fetchAll($0, sql: "SELECT event FROM audit ORDER BY number")
        }
        #expect(events == ["key.made", "session.opened", "session.reused", "session.revoked", "user.revoked"])
    }
}
