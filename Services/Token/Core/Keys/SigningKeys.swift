import AccessTokens
import CryptoPrimitives
import InternalAPI
import Storage
import Synchronization

/// The signing keys of this process. They come from the store, which is read again when a replica has changed them, and for HS256
/// from the secret file.
final class SigningKeys: Sendable {
    /// A key in the database that our storage keys do not decrypt: the secret file is the wrong one, or the row is foreign.
    struct Unreadable: Error, CustomStringConvertible {
        let keyID: String
        var description: String { "signing key \(keyID) does not open with token_storage_key" }
    }

    private struct State {
        var current: SigningKeySet
        var changeMark: Int64
        /// Keys by `kid`, so that reading the rows again does not parse them again.
        var parsed: [String: SigningKey] = [:]
        /// The secrets of the file, in its order; the first one signs.
        var secrets: [SigningKey]
        /// The number of reads begun, and the number of the one in use. An older read must not replace a newer one.
        var begun = 0
        var inUse = 0
    }

    let store: any SigningKeyStore
    let rule: KeyRule
    private let seal: StorageSeal
    private let state: Mutex<State>

    /// The keys in use now.
    var current: SigningKeySet { state.withLock(\.current) }
    /// The keys of the secret file, in its order.
    var secrets: [SigningKey] { state.withLock(\.secrets) }

    /// Loads the keys and carries out the steps that are due, so that there is a key for every algorithm.
    ///
    /// - Parameters:
    ///   - storageRing: `token_storage_key`.
    ///   - secretRing: `jwt_hs256`; needed only for HS256.
    init(
        store: any SigningKeyStore, rule: KeyRule, storageRing: KeyRing, secretRing: KeyRing?, now: Int64
    ) async throws {
        self.store = store
        self.rule = rule
        seal = StorageSeal(ring: storageRing, use: .signingKeys)
        let mark = try await store.changeMark()
        state = Mutex(
            State(
                current: try SigningKeySet([]), changeMark: mark, secrets: try Self.keys(of: secretRing)))
        _ = try await doWhatIsDue(now: now)
        try await reload()
    }

    /// Carries out the steps that are due by the rule, and uses the resulting keys.
    ///
    /// - Returns: whether there were any.
    func doWhatIsDue(now: Int64) async throws -> Bool {
        let isDone = try await Decision.untilItHolds { () async throws -> Attempt<Bool> in
            let keys = try await store.load()
            let changes = try rule.due(keys, now: now).map { try change($0, now: now) }
            guard !changes.isEmpty else { return .held(false) }
            return try await store.apply(changes, on: keys, now: now).yielding(true)
        }
        if isDone { try await reload() }
        return isDone
    }

    /// Returns the change of the stored keys for a step of the rule. A key that the step needs is made here.
    func change(_ step: KeyStep, now: Int64) throws -> KeyChange {
        switch step {
        case .make(let algorithm, let state):
            .add(try newKey(Self.randomKeyID(), algorithm, state, now: now), as: .keyMade)
        case .move(let keyID, let state): .move(keyID, to: state)
        case .widen(let keyID, let seconds): .widen(keyID, tokenSeconds: seconds)
        }
    }

    /// Whether any step is due.
    func isAnythingDue(now: Int64) async throws -> Bool { try await !rule.due(store.load(), now: now).isEmpty }

    /// Makes a new random key, sealed for the database.
    func newKey(
        _ keyID: String, _ algorithm: SignatureAlgorithm, _ state: KeyState, now: Int64
    ) throws -> SigningKeyRecord {
        try record(try SigningKey.generate(keyID: keyID, algorithm: algorithm), state, now: now)
    }

    /// Returns the record of `key`, sealed for the database.
    func record(_ key: SigningKey, _ state: KeyState, now: Int64) throws -> SigningKeyRecord {
        SigningKeyRecord(
            keyID: key.keyID, algorithm: key.algorithm, state: state, stateSince: now, createdAt: now,
            tokenSeconds: rule.tokenSeconds, sealed: try seal.seal(key.privateKeyDER, context: Array(key.keyID.utf8)))
    }

    /// Returns an id for a new key.
    static func randomKeyID() -> String { Hex.encode(SecureRandom.bytes(8)) }

    /// Reads the keys again if a replica has written to the file.
    func reloadIfChanged() async throws {
        let mark = try await store.changeMark()
        guard mark != state.withLock(\.changeMark) else { return }
        try await reload()
        state.withLock { $0.changeMark = mark }
    }

    /// Replaces the secrets by those of a new file.
    ///
    /// - Throws: an error that states what is wrong with the new secrets; the old ones stay in use.
    func replaceSecrets(_ ring: KeyRing) async throws {
        let (secrets, old) = (try Self.keys(of: ring), self.secrets)
        state.withLock { $0.secrets = secrets }
        do { try await reload() } catch {
            state.withLock { $0.secrets = old }
            throw error
        }
    }

    /// Reads the keys again.
    func reload() async throws {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let records = try await store.load()
        let (known, secrets) = state.withLock { ($0.parsed, $0.secrets) }
        var parsed: [String: SigningKey] = [:]
        for record in records { parsed[record.keyID] = try known[record.keyID] ?? key(record) }
        let keys = records.compactMap { record in parsed[record.keyID].map { (key: $0, state: record.state) } }
        // The first secret signs. It is put last, because the newest key signs.
        let set = try SigningKeySet(keys + secrets.reversed().map { (key: $0, state: .signing) })
        state.withLock { state in
            guard number > state.inUse else { return }
            (state.current, state.parsed, state.inUse) = (set, parsed, number)
        }
    }

    private static func keys(of ring: KeyRing?) throws -> [SigningKey] {
        try (ring?.all ?? []).map { try SigningKey(keyID: $0.id, algorithm: .HS256, privateKeyDER: $0.secret) }
    }

    private func key(_ record: SigningKeyRecord) throws -> SigningKey {
        guard let der = seal.open(record.sealed, context: Array(record.keyID.utf8)) else {
            throw Unreadable(keyID: record.keyID)
        }
        return try SigningKey(keyID: record.keyID, algorithm: record.algorithm, privateKeyDER: der)
    }
}
