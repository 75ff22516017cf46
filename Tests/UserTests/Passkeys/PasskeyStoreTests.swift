import CryptoPrimitives
import InternalAPI
import Logging
import Storage
import TestSupport
import Testing
import WebAuthn

@testable import PostgreSQL
@testable import SQLiteStore
@testable import UserCore
@testable import UserTables

/// The rows of passkeys, on both engines.
@Suite(.timeLimit(.minutes(10))) struct PasskeyStoreTests {
    static func passkey(
        _ user: User, _ kind: PasskeyKind = .passkey, signCount: UInt32 = 0, activeFrom: Int64 = 1_000,
        createdAt: Int64 = 1_000, name: String = "Phone"
    ) -> StoredPasskey {
        StoredPasskey(
            id: SecureRandom.bytes(16), user: user.id, kind: kind, name: name,
            record: CredentialRecord(
                id: SecureRandom.bytes(32), userHandle: SecureRandom.bytes(32), publicKey: [1, 2, 3],
                aaguid: [UInt8](repeating: 7, count: 16), signCount: signCount, isUserVerified: true,
                isBackupEligible: true, isBackedUp: false),
            transports: 0b110_000, epoch: user.epoch, activeFrom: activeFrom, createdAt: createdAt)
    }

    private func facts(_ passkey: StoredPasskey, _ storage: StorageReplica) async throws -> UserFacts {
        try await storage.users.facts(UserQuestion(.passkey(passkey.key), askedAt: 1_000))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a row keeps everything, and its user is found by the key`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let (first, second) = (
            Self.passkey(user, signCount: .max), Self.passkey(user, .restore, activeFrom: 9_000, createdAt: 1_001)
        )
        #expect(try await facts(first, storage).holder == nil)
        try await storage.users.put([.addPasskey(first), .addPasskey(second)], now: 1_000)
        let found = try await facts(first, storage)
        #expect(found.holder?.id == user.id && found.passkey == first)
        let own = try await storage.users.facts(UserQuestion(.identities(user.id), askedAt: 1_000))
        #expect(own.passkeys == [first, second])
        // A key that is there already is not added again, for any user.
        let other = try await storage.user("+15557654321")
        await #expect(throws: StorageError.self) {
            var stolen = Self.passkey(other)
            stolen.record.id = first.record.id
            try await storage.users.put([.addPasskey(stolen)], now: 1_000)
        }
        #expect(try await facts(first, storage).holder?.id == user.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a use raises the counter, which never falls, and writes the flags`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        var passkey = Self.passkey(try await storage.user(), signCount: 7)
        try await storage.users.put([.addPasskey(passkey)], now: 1_000)
        for (count, stored) in [(9, 9), (3, 9), (0, 9)] as [(UInt32, UInt32)] {
            passkey.record.signCount = count
            passkey.record.isBackedUp.toggle()
            passkey.lastUsedAt = 2_000 + Int64(count)
            try await storage.users.put([.notePasskeyUse(passkey)], now: 1_000)
            let found = try #require(try await facts(passkey, storage).passkey)
            #expect(found.record.signCount == stored && found.record.isBackedUp == passkey.record.isBackedUp)
            #expect(found.lastUsedAt == passkey.lastUsedAt)
        }
        #expect(try await storage.queries.find(.id(passkey.user))?.lastSignInAt == 2_000)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user who signs in by a passkey is not away`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        var passkey = Self.passkey(user)
        try await storage.users.put([.addPasskey(passkey)], now: 1_000)
        func quiet() async throws -> [UserID] {
            try await storage.queries.quietUsers(behind: nil, unusedSince: 5_000, limit: 9).users.map(\.user.id)
        }
        #expect(try await quiet() == [user.id])
        passkey.lastUsedAt = 5_000
        try await storage.users.put([.notePasskeyUse(passkey)], now: 5_000)
        #expect(try await quiet().isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lost passkey is on the list of decisions, and a removed user's passkeys are gone`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let passkeys = [
            Self.passkey(user), Self.passkey(user, activeFrom: 5_000), Self.passkey(user, activeFrom: 6_000),
            Self.passkey(user),
        ]
        try await storage.users.put(passkeys.map { .addPasskey($0) }, now: 1_000)
        try await storage.users.put([.endPasskey(passkeys[0])], now: 1_000)
        try await storage.users.put([.endWaitingPasskeys(of: user.id)], now: 5_000)
        let lost = try await storage.queries.decisions(after: 0, limit: 99).filter { $0.kind == .passkeyLost }
        #expect(Set(lost.compactMap(\.detail)) == [Hex.encode(passkeys[0].id), Hex.encode(passkeys[2].id)])
        #expect(lost.allSatisfy { $0.subject == user.id })
        try await storage.remove(user)
        for passkey in passkeys { #expect(try await facts(passkey, storage).passkey == nil) }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an account that claims an address and has a passkey is not taken over`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let address = VerifiedIdentity.email("betty@example.com")
        try await storage.users.put(
            [.endIdentity(.phone("+15551234567")), .claim(address, by: user.id)], now: 1_000)
        let question = UserQuestion(.identity(address), askedAt: 1_000)
        #expect(try await storage.users.facts(question).claimant?.isAlone == true)
        try await storage.users.put([.addPasskey(Self.passkey(user))], now: 1_000)
        #expect(try await storage.users.facts(question).claimant?.isAlone == false)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a merge moves passkeys with their handles, and no restore keys`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let (user, other) = (try await storage.user(), try await storage.user("+15557654321"))
        let (moved, restore) = (Self.passkey(user), Self.passkey(user, .restore))
        try await storage.users.put([.addPasskey(moved), .addPasskey(restore)], now: 1_000)
        try await storage.users.put([.merge(user, into: other.id)], now: 1_000)
        let found = try await facts(moved, storage)
        #expect(found.holder?.id == other.id && found.passkey?.record == moved.record)
        #expect(try await facts(restore, storage).passkey == nil)
        #expect(found.passkey?.activeFrom == moved.activeFrom)
        // A thief of the other's phone number must not bring a passkey of their own.
        let third = try await storage.user("+15557654322")
        let further = Self.passkey(third)
        try await storage.users.put([.addPasskey(further)], now: 1_000)
        try await storage.users.put([.merge(third, into: other.id)], now: 1_000)
        #expect(try await facts(further, storage).passkey?.activeFrom == 1_000 + 86_400)
        #expect(try await facts(moved, storage).passkey?.activeFrom == moved.activeFrom)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the operator's pages have the passkeys of a span of time, each once`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let user = try await storage.user()
        let passkeys = (0..<7).map { Self.passkey(user, createdAt: 1_000 + $0) }
        try await storage.users.put(passkeys.map { .addPasskey($0) }, now: 1_000)
        var (found, last): ([StoredPasskey], [UInt8]) = ([], [])
        while true {
            let page = try await storage.queries.passkeys(addedFrom: 1_001, until: 1_005, after: last, limit: 2)
            guard let key = page.last?.key else { break }
            found += page
            last = key
        }
        #expect(Set(found.map(\.key)) == Set(passkeys[1...5].map(\.key)) && found.count == 5)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an old backup revives no removed passkey, also of a user who was merged`(_ engine: DatabaseKind) async throws
    {
        let storage = try await StorageUnderTest(engine).replica()
        let (user, other) = (try await storage.user(), try await storage.user("+15557654321"))
        let (lost, kept, ofMerged) = (Self.passkey(user), Self.passkey(user), Self.passkey(other))
        try await storage.users.put([lost, kept, ofMerged].map { .addPasskey($0) }, now: 1_000)
        let known = try await storage.queries.decisions(after: 0, limit: 99).last?.sequence ?? 0
        let later: [OrderedDecision] = [
            (SecurityDecision.Kind.passkeyLost, user.id, Hex.encode(lost.id)),
            (.passkeyLost, other.id, Hex.encode(ofMerged.id)), (.merged, other.id, user.id.text(prefix: "")),
        ].enumerated().map { index, decision in
            OrderedDecision(
                sequence: known + 1 + Int64(index), kind: decision.0.rawValue, subject: decision.1.bytes,
                detail: decision.2)
        }
        try await storage.beginEpoch(decisions: later)
        for (passkey, stays) in [(lost, false), (kept, true), (ofMerged, false)] {
            #expect((try await facts(passkey, storage).passkey != nil) == stays)
        }
    }
}

extension StorageReplica {
    /// Applies later decisions, as a restore does.
    func beginEpoch(decisions: [OrderedDecision]) async throws {
        let floor: Int64 = 1_800_000_000
        let write: @Sendable (any Transaction) throws -> Void = {
            try UserDatabase.beginEpoch(floor, removed: [], decisions: decisions, now: floor, in: $0)
        }
        if let schema = home.schema {
            try await PostgreSQLDatabase.open(schema, migrations: [], logger: .silent).write(write)
        } else {
            try await SQLiteDatabase.open(
                path: home.folder + "/users.sqlite", migrations: UserDatabase.fileSteps, logger: .silent
            ).write(write)
        }
    }
}
