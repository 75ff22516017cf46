internal import AccessTokens
internal import CryptoPrimitives
internal import Synchronization

/// The signing keys of this process: from the database, re-read when a replica has changed it, and under HS256 from the
/// secret file.
final class SigningKeys: Sendable {
    /// A key in the database that our storage keys do not open: the wrong secret file, or a foreign row.
    struct Unreadable: Error, CustomStringConvertible {
        let keyID: String
        var description: String { "signing key \(keyID) does not open with token_storage_key" }
    }

    private struct State {
        var current: SigningKeySet
        var foreignVersion: Int64
        /// Keys by `kid`, so that reading the rows again does not parse them again.
        var parsed: [String: SigningKey]
    }

    private let table: SigningKeyTable
    private let seal: StorageSeal
    private let secrets: [SigningKey]
    private let state: Mutex<State>

    /// The keys in use now.
    var current: SigningKeySet { state.withLock(\.current) }

    /// Loads the keys and makes those that are missing.
    ///
    /// - Parameters:
    ///   - algorithms: those of the policy's profiles.
    ///   - storageRing: `token_storage_key`.
    ///   - secretRing: `jwt_hs256`; needed for HS256 alone.
    init(
        table: SigningKeyTable, algorithms: Set<SignatureAlgorithm>, storageRing: KeyRing, secretRing: KeyRing?,
        now: Int64
    ) async throws {
        self.table = table
        seal = StorageSeal(ring: storageRing, use: .signingKeys)
        // The first secret signs: it comes last, as the newest key does.
        secrets = try (secretRing?.all ?? []).reversed().map {
            try SigningKey(keyID: $0.id, algorithm: .HS256, privateKeyDER: $0.secret)
        }
        let version = try await table.foreignVersion()
        state = Mutex(State(current: try SigningKeySet([]), foreignVersion: version, parsed: [:]))
        try await makeMissing(algorithms, now: now)
        try await reload()
    }

    /// Reads the keys again if a replica has written to the file.
    func reloadIfChanged() async throws {
        let version = try await table.foreignVersion()
        guard version != state.withLock(\.foreignVersion) else { return }
        try await reload()
        state.withLock { $0.foreignVersion = version }
    }

    private func makeMissing(_ algorithms: Set<SignatureAlgorithm>, now: Int64) async throws {
        let present = Set(try await table.load().filter { $0.state == .signing }.map(\.algorithm))
        // Made before the transaction: an RSA key takes longer than a write may.
        for algorithm in algorithms.subtracting(present) where !algorithm.isSymmetric {
            let key = try SigningKey.generate(keyID: Hex.encode(SecureRandom.bytes(8)), algorithm: algorithm)
            try await table.addUnlessPresent(
                SigningKeyRecord(
                    keyID: key.keyID, algorithm: algorithm, state: .signing, stateSince: now, createdAt: now,
                    sealed: try seal.seal(key.privateKeyDER, context: Array(key.keyID.utf8))))
        }
    }

    private func reload() async throws {
        let records = try await table.load()
        let known = state.withLock(\.parsed)
        var parsed: [String: SigningKey] = [:]
        for record in records { parsed[record.keyID] = try known[record.keyID] ?? key(record) }
        let keys = records.compactMap { record in parsed[record.keyID].map { (key: $0, state: record.state) } }
        let set = try SigningKeySet(keys + secrets.map { (key: $0, state: .signing) })
        state.withLock { state in
            state.current = set
            state.parsed = parsed
        }
    }

    private func key(_ record: SigningKeyRecord) throws -> SigningKey {
        guard let der = seal.open(record.sealed, context: Array(record.keyID.utf8)) else {
            throw Unreadable(keyID: record.keyID)
        }
        return try SigningKey(keyID: record.keyID, algorithm: record.algorithm, privateKeyDER: der)
    }
}
