import CryptoPrimitives
import InternalAPI
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import UserCore

/// Each column of user-service's schema is in a user's export, or here with the reason why it is not.
@Suite struct ExportContract {
    private static let rules = ExportRules(
        """
        users: id, name, attributes, role, is_active, created_at, updated_at | exported
        users: deletion_requested_at, deletion_due_at, is_for_review, legacy_id, app_metadata, own_metadata | exported
        users: pseudonym | a random name, which only connects the audit with the user
        users: epoch, version | counters
        identities: kind, value, created_at, last_used_at, tokens_from | exported
        identities: user_id | the account's id
        passkeys: id, kind, name, active_from, created_at, last_used_at, aaguid, transports, flags | exported
        passkeys: user_id | the account's id
        passkeys: key, credential_id, user_handle, public_key | random, and of no use without the user's device
        passkeys: sign_count, epoch | counters
        totp: activated_at, required | a setting, exported as whether one-time passwords are on
        totp: user_id | the account's id
        totp: secret | a sealed secret
        totp: last_step, wrong_count, guessed_at | counters
        recovery_codes: user_id | the account's id
        recovery_codes: code | a keyed hash of a secret
        recovery_codes: used_at | exported as the number of codes that are left
        restored_identities: user_id, sealed, kind, since | identities of after a backup, for the moments after a restore
        reviews: since, opened_at | exported
        reviews: user_id | the account's id
        reviews: ends_at | a week after opened_at, if it was opened by a lockout
        apple_tokens: subject, client_id, signed_in_at | exported
        apple_tokens: user_id | the account's id
        apple_tokens: payload | a sealed token, which is a secret
        unverified_addresses: address, created_at | exported
        unverified_addresses: user_id | the account's id
        passwords: changed_at | exported
        passwords: user_id | the account's id
        passwords: hash, version | secrets
        registrations: id, address, hash, name, created_at, expires_at | of people who are no users yet
        invitations: kind, value, id, role, expires_at | of people who are no users yet
        account_links: purpose, address, created_at, expires_at | exported
        account_links: subject | the account's id
        account_links: hash | of a secret
        pending_changes: kind, number, created_at, moves_at | exported
        pending_changes: id | random
        pending_changes: user_id, other_id | the account's id, and that of another one
        pending_changes: payload | sealed; it repeats what both accounts have
        first_answers: call, answer, user_id, ends_sessions, expires_at | answers to repeated calls, kept for a month at most
        resolutions: attestation_id, user_id, is_new_user, restored, expires_at, call, made_at | used proofs, until they expire
        outbox: id, lane, kind, user_id, payload, attempts, next_attempt_at, created_at | messages on their way, sealed
        outbox: rank, network, turn | the order of messages
        removed_users: id | of users who are no more
        decision_count: id, last | a counter
        decisions: at, kind | exported
        decisions: sequence | a number
        decisions: subject | the account's id
        decisions: detail | sealed, or a role or a time that the records have too
        audit_moved: stream_id, moved_at | positions in a stream
        merged_users: id, created_at | exported
        merged_users: into_user | the account's id
        merged_users: pseudonym, epoch | a random name and a counter
        clients: id, sid, role, created_at, secret, secret_at, older_secret | of back ends and jobs, which are no persons
        clients: older_secret_at, key, older_key, revoked_at | of back ends and jobs
        restore_floor: id, epoch, is_new | a counter
        ordered_removals: id | only during a restore
        ordered_decisions: sequence, kind, subject, detail | only during a restore
        decisions_order: id | only during a restore
        audit_slots: number, newest, newest_hash, removed, removed_hash | ends of the audit's chains
        audit: at, event, method, session_id, request_id, detail | exported
        audit: number, slot, hash, id | places in the audit's chains
        audit: subject | the user's random name
        user_events: kind, made_at, reason | what decisions and records say too, on its way to the app's back end
        user_events: user_id, subject | ids
        user_events: id, sequence, attempts, is_given_up | counters
        user_events: queued_at, due_at, settled_at | times of the delivery
        known_origins: user_id, kind, tag, seen_at, first_seen_at | keyed hashes of devices and networks, which show neither
        known_origins: tagged_for | the id of a merged account, which is exported
        hourly_counts: hour, series, amount | counts over all users
        leases: name, holder, until | of processes
        schema_migrations: name, release, needs_release | of the schema
        copied_file: id, path, digest, begun_at, finished_at | of a file that was copied here
        server_record: id, identifier, number | of the database's server
        """)

    private static func database(_ storage: StorageReplica) throws -> any StorageDatabase {
        try #require(storage.storage.engine as? any StorageDatabase)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `each column is exported, or has a reason`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let columns = try await StoredColumn.all(in: Self.database(storage)).map(\.fullName)
        #expect(columns.count > 100)
        #expect(columns.filter { Self.rules.outcomes[$0] == nil } == [])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an export shows the columns that it should, and no others`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let database = try Self.database(storage)
        let (id, pseudonym) = (UserID.new(), Pseudonym.new())
        let fixed: [String: [String: any SQLConvertible]] = [
            "users": [
                "id": id.bytes, "pseudonym": pseudonym.bytes, "attributes": #"{"plan":"canary of attributes"}"#,
                "is_active": true, "is_for_review": false, "app_metadata": #"{"a":"canary of app"}"#,
                "own_metadata": #"{"a":"canary of own"}"#,
            ],
            "passkeys": [
                "kind": "passkey", "sign_count": Int64(7), "flags": Int64(0x1C), "transports": Int64(0x30),
                "aaguid": [UInt8](repeating: 0xAB, count: 16),
            ],
            "identities": ["kind": "phone"], "decisions": ["subject": id.bytes, "kind": "deactivated"],
            "pending_changes": ["kind": "phone", "other_id": SQLValue.null],
            "account_links": ["subject": id.bytes], "merged_users": ["into_user": id.bytes],
            "audit": ["subject": pseudonym.bytes],
        ]
        var planted = PlantedRows()
        let columns = Dictionary(grouping: try await StoredColumn.all(in: database), by: \.table)
        for table in ["users"] + Self.rules.tables.filter({ $0 != "users" }).sorted() {
            var values = fixed[table] ?? [:]
            if table != "users" { values["user_id"] = id.bytes }
            let hash = ["account_links": "hash", "passkeys": "key"][table].map { [$0: SecureRandom.bytes(32)] } ?? [:]
            try await planted.plant(try #require(columns[table]), values, bytes: hash, in: database)
        }
        let text = try await Self.export(id, storage)
        #expect(planted.wrong(text, by: Self.rules) == [])
        for shown in [
            id.text(prefix: "usr_"), "canary of attributes", "canary of app", "canary of own", #""active":true"#,
            #""hasPassword":true"#, "abababab-abab-abab-abab-abababababab", #""transports":["hybrid","internal"]"#,
            #""backedUp":true"#,
        ] {
            #expect(text.contains(shown))
        }
        #expect(!text.contains(Hex.encode(pseudonym.bytes)))
    }

    /// All pages of a user's export.
    private static func export(_ id: UserID, _ storage: StorageReplica) async throws -> String {
        let read = ReadExport(
            queries: storage.queries, tokenService: ServiceClient(service: "token", transport: FakeTokenService()),
            otpService: ServiceClient(service: "otp", transport: FakeOTPService()), userIDPrefix: "usr_", now: { 1_000 }
        )
        let stored = try #require(try await storage.queries.account(id))
        var (text, place): (String, ExportPlace?) = ("", nil)
        repeat {
            let (page, next) = try await read(stored, from: place, requestID: nil)
            text += String(decoding: try StrictJSON.encode(page), as: UTF8.self)
            place = next
        } while place != nil
        return text
    }

    @Test(arguments: DatabaseKind.allCases)
    func `decisions and records of one user come page by page, without another's`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let (user, other) = (try await storage.user(), try await storage.user("+15551234568"))
        _ = try await storage.giveUp(user, dueAt: 9_000)
        _ = try await storage.giveUp(other, dueAt: 9_000)
        let decisions = try await storage.queries.decisions(about: user.id, after: 0, limit: 9)
        let first = try #require(decisions.first)
        #expect(decisions.allSatisfy { $0.subject == user.id })
        #expect(
            try await storage.queries.decisions(about: user.id, after: first.sequence, limit: 9).count == decisions
                .count - 1)
        #expect(try await storage.queries.account(UserID.new()) == nil)
        let text = try await Self.export(user.id, storage)
        #expect(text.contains("+15551234567") && !text.contains("+15551234568"))
    }
}
