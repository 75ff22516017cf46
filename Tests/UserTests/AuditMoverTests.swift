import InternalAPI
import Logging
import RedisClient
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

@Suite(.timeLimit(.minutes(5))) struct AuditMoverTests {
    @Test func `each record is moved once, though the stream gives it again`() async throws {
        let fixture = try UserFixture()
        let stream = HeldStream((1...3).map { Self.entry("\($0)-0") })
        stream.keepsWhatIsRemoved = true
        let mover = mover(fixture, stream)
        #expect(await mover.round() == 3)
        #expect(await mover.round() == 3)
        #expect(try await fixture.auditEvents() == Array(repeating: "otp.approved", count: 3))
    }

    @Test func `the replica whose turn it is not writes nothing`() async throws {
        let fixture = try UserFixture()
        let stream = HeldStream([Self.entry("1-0")])
        stream.keepsWhatIsRemoved = true
        #expect(await mover(fixture, stream).round() == 1)
        stream.add(Self.entry("2-0"))
        #expect(await mover(fixture, stream, holder: "b").round() == 0)
        fixture.clock.advance(seconds: AuditMover.leaseSeconds + 1)
        #expect(await mover(fixture, stream, holder: "b").round() == 2)
        #expect(try await fixture.auditEvents().count == 2)
    }

    @Test func `records stay in the stream until they are in the database`() async throws {
        let fixture = try UserFixture()
        let stream = HeldStream([Self.entry("1-0")])
        try await fixture.execute("ALTER TABLE audit RENAME TO elsewhere")
        #expect(await mover(fixture, stream).round() == 0)
        #expect(stream.oldest(limit: 10).count == 1)
        try await fixture.execute("ALTER TABLE elsewhere RENAME TO audit")
        #expect(await mover(fixture, stream).round() == 1)
        #expect(stream.oldest(limit: 10).isEmpty)
    }

    @Test func `ids are forgotten after a week`() async throws {
        let fixture = try UserFixture()
        #expect(await mover(fixture, HeldStream([Self.entry("1-0")])).round() == 1)
        fixture.clock.advance(seconds: AuditMoves.memorySeconds + 1)
        #expect(await mover(fixture, HeldStream([Self.entry("2-0")])).round() == 1)
        #expect(try await fixture.count("audit_moved") == 1)
    }

    @Test func `what does not read as a record is kept as one and stops nothing`() {
        let entry = AuditStreamEntry(id: "1-0", fields: ["event": Array("otp.new_thing".utf8)])
        #expect(entry.entry.event == .codeOther && entry.entry.detail == "otp.new_thing")
        #expect(AuditStreamEntry(id: "1-0", fields: [:]).entry.subject == .zero)
    }

    @Test func `records are read from Redis and removed there`() async throws {
        let fixture = try UserFixture()
        let users = ["user default off", "user user on >secret ~audit:otp -@all +@read +@write +@connection +role"]
        try await withRedisServer(users: users) { server in
            try await withRedisClient(.patient(port: server.port, username: "user", password: "secret")) { redis in
                for number in 1...300 {
                    _ = try await redis.send([
                        "XADD", .text(OTPAuditStream.key), "*", "at", RedisArgument(Int64(1_800_000_000 + number)),
                        "event",
                        "otp.sent", "subject", RedisArgument([UInt8](repeating: 0xFF, count: 16)), "detail", "known",
                    ])
                }
                let mover = mover(fixture, RedisAuditStream(redis: redis))
                #expect(await mover.round() == AuditMover.batchMax)
                #expect(await mover.round() == 300 - AuditMover.batchMax)
                #expect(await mover.round() == 0)
                #expect(try await redis.send(["XLEN", .text(OTPAuditStream.key)]) == .integer(0))
                #expect(try await fixture.auditEvents() == Array(repeating: "otp.sent", count: 300))
            }
        }
    }

    @Test func `a flush that fails keeps no records from being moved`() async throws {
        struct NoFlush: Error {}
        try await withRedis { _, redis in
            let stream = RedisAuditStream(redis: redis, flush: { throw NoFlush() })
            await #expect(throws: NoFlush.self) { try await stream.oldest(limit: 9) }
            _ = try await redis.send(["XADD", .text(OTPAuditStream.key), "*", "event", "otp.sent"])
            #expect(try await stream.oldest(limit: 9).count == 1)
        }
    }

    private func mover(
        _ fixture: UserFixture, _ stream: any AuditStream, holder: String = "a"
    ) -> AuditMover {
        AuditMover(
            stream: stream, store: AuditMoves(database: fixture.database), holder: holder,
            now: fixture.clock.unix, logger: fixture.logger)
    }

    private static func entry(_ id: String) -> AuditStreamEntry {
        AuditStreamEntry(
            id: id, time: 1_800_000_000,
            entry: AuditEntry(event: .codeApproved, subject: .zero, origin: RequestOrigin(), detail: "known"))
    }
}

/// A stream in memory.
final class HeldStream: AuditStream {
    private let state: Mutex<(entries: [AuditStreamEntry], keeps: Bool)>

    init(_ entries: [AuditStreamEntry]) { state = Mutex((entries, false)) }

    /// Whether removing does nothing, as when the process ends before it.
    var keepsWhatIsRemoved: Bool {
        get { state.withLock { $0.keeps } }
        set { state.withLock { $0.keeps = newValue } }
    }

    func add(_ entry: AuditStreamEntry) { state.withLock { $0.entries.append(entry) } }

    func oldest(limit: Int) -> [AuditStreamEntry] { state.withLock { Array($0.entries.prefix(limit)) } }

    func remove(_ entries: [AuditStreamEntry.ID]) {
        state.withLock { state in
            if !state.keeps { state.entries.removeAll { entries.contains($0.id) } }
        }
    }
}
