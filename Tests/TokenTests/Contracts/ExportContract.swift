import CryptoPrimitives
import InternalAPI
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import TokenCore

/// Each column of token-service's schema is in a user's export, or here with the reason why it is not.
@Suite struct ExportContract {
    private static let rules = ExportRules(
        """
        session_blocks: id, last | a counter
        sessions: sid, dialect, method, created_at, last_used_at, authenticated_at | exported
        sessions: idle_expires_at, absolute_expires_at, is_revoked, reason, device, network | exported
        sessions: locator | a number that is masked in tokens
        sessions: user_id | the account's id
        sessions: epoch, generation, late_repeats, late_generation | counters
        sessions: current_hash, previous_hash, salt, page_hash | of secrets
        sessions: access_expires_at, marked_at, older_marked_at | times of tokens, which follow from the last use
        sessions: mark_generation, older_mark_generation | counters
        sessions: factors | bits of what `method` and the audit's step-ups show
        sessions: device_kind | a kind of the device, whose name is exported
        sessions: actor | the id of another user
        sessions: claims | sealed; they repeat the account
        used_grants: id, session, expires_at | random ids, kept for minutes
        user_epochs: user_id, epoch, version, expires_at | counters
        user_epochs: last_used_at | the newest use of sessions that were removed
        revocations: sid, reason, access_expires_at, published | ends of sessions, which the sessions show
        version_floors: sid, version, access_expires_at, published | counters
        signing_keys: kid, algorithm, state, state_since, created_at, token_seconds, sealed | of the deployment
        key_revocations: kid, holds_until, published | of the deployment
        restore_floor: id, epoch, is_new | a counter
        audit_slots: number, newest, newest_hash, removed, removed_hash | ends of the audit's chains
        audit: at, event, sid, detail | exported
        audit: number, slot, hash, id | places in the audit's chains
        audit: user_id | the account's id
        user_events: kind, made_at, reason | what decisions and records say too, on its way to the app's back end
        user_events: user_id, subject | ids
        user_events: id, sequence, attempts, is_given_up | counters
        user_events: queued_at, due_at, settled_at | times of the delivery
        hourly_counts: hour, series, amount | counts over all users
        leases: name, holder, until | of processes
        schema_migrations: name, release, needs_release | of the schema
        copied_file: id, path, digest, begun_at, finished_at | of a file that was copied here
        server_record: id, identifier, number | of the database's server
        """)

    private static func database(_ storage: StorageReplica) throws -> any StorageDatabase {
        try #require(storage.storage.engine as? any StorageDatabase)
    }

    /// All pages of a part of the export.
    private static func export(
        _ part: TokenExportRequest.Part, _ storage: StorageReplica, limit: Int = 2
    ) async throws -> (text: String, sessions: [ExportedSession], records: [ExportedRecord]) {
        let export = ExportUserData(store: storage.sessions, audit: storage.storage.audit)
        var (text, sessions, records) = ("", [ExportedSession](), [ExportedRecord]())
        var before: Int64?
        repeat {
            let page = try await export(
                TokenExportRequest(userID: StorageUnderTest.user, part: part, before: before, limit: limit))
            text += String(decoding: try StrictJSON.encode(page), as: UTF8.self)
            (sessions, records) = (sessions + page.sessions, records + page.records)
            before = page.next
        } while before != nil
        return (text, sessions, records)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `each column is exported, or has a reason`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let columns = try await StoredColumn.all(in: Self.database(storage)).map(\.fullName)
        #expect(columns.count > 60)
        #expect(columns.filter { Self.rules.outcomes[$0] == nil } == [])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an export shows the columns that it should, and no others`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let database = try Self.database(storage)
        let user = try #require(StoredUserIDs.bytes(StorageUnderTest.user))
        var planted = PlantedRows()
        let columns = Dictionary(grouping: try await StoredColumn.all(in: database), by: \.table)
        let reason = RevocationReason.device.code
        for table in Self.rules.tables.sorted() {
            let values: [String: any SQLConvertible] =
                table == "sessions" ? ["user_id": user, "is_revoked": true, "reason": reason] : ["user_id": user]
            let id = ["sid": SessionID.new(at: 1_000).bytes]
            try await planted.plant(try #require(columns[table]), values, bytes: id, in: database)
        }
        let text = try await Self.export(.sessions, storage).text + Self.export(.records, storage).text
        #expect(planted.wrong(text, by: Self.rules) == [])
        #expect(text.contains(#""revokedFor":"device""#) && text.contains(#""web":true"#))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `live and ended sessions come page by page, each once, without another user's`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var ids: [String] = []
        for second in 0..<5 { ids.append(try await storage.opened(at: 1_000 + Int64(second)).id.text) }
        let other = try await storage.opened(user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f")
        let first = try await storage.sessions.sessions(ofUser: StorageUnderTest.user, limit: 9, now: 1_010).last
        _ = try await storage.sessions.end(try #require(first).id, reason: .logout, now: 1_100)
        let sessions = try await Self.export(.sessions, storage).sessions
        #expect(sessions.map(\.id) == ids.reversed())
        #expect(sessions.map(\.revokedFor) == [nil, nil, nil, nil, "logout"])
        let records = try await Self.export(.records, storage, limit: 4).records
        #expect(records.filter { $0.event == "session.opened" }.compactMap(\.sessionID) == ids.reversed())
        #expect(!records.contains { $0.sessionID == other.id.text } && records.allSatisfy { $0.service == "token" })
    }

    @Test(arguments: [0, -1, TokenExportRequest.rowsMax + 1])
    func `a page of a wrong size is refused`(limit: Int) async throws {
        let storage = try await StorageUnderTest(.sqlite).replica()
        await #expect(throws: InvalidInput.self) { try await Self.export(.sessions, storage, limit: limit) }
    }
}

/// The stored form of the tests' user id.
private enum StoredUserIDs {
    static func bytes(_ userID: String) -> [UInt8]? { Hex.decode(String(userID.dropFirst(4))) }
}
