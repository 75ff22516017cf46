import CryptoPrimitives
import InternalAPI
import Policies
import ServiceKit

/// The keys of Supabase's admin calls: `name sb_secret_…` lines of the secret `supabase_keys`. Without the file there are none.
struct AdminKeys: Sendable {
    static let secret = "supabase_keys"
    static let prefix = "sb_secret_"

    /// The hash of each key with its name, since hashes are compared in constant time whatever the lengths.
    private let hashes: [(name: String, hash: [UInt8])]

    /// - Throws: `SettingsError` for a key with another beginning, or a name that audit records cannot contain.
    init(_ ring: KeyRing?) throws(SettingsError) {
        let keys = ring?.all ?? []
        guard keys.allSatisfy({ $0.secret.starts(with: Self.prefix.utf8) }) else {
            throw SettingsError(
                "secret \(Self.secret)", "a key does not begin with \(Self.prefix). Write it before the key.")
        }
        guard keys.allSatisfy({ OperatorName($0.id) != nil }) else {
            throw SettingsError(
                "secret \(Self.secret)", "a name is not \(OperatorName.form). Give the key a shorter one.")
        }
        hashes = keys.map { ($0.id, SHA256.hash($0.secret)) }
    }

    /// Reads the keys if the policy has the dialect.
    init(_ context: ProcessContext) throws {
        try self.init(
            context.policy.speaksSupabase ? context.settings.secrets.optionalKeyRing(Self.secret) : nil)
    }

    /// Returns the name of a key, or `nil` if there is no such key.
    func name(of key: [UInt8]) -> String? {
        guard key.starts(with: Self.prefix.utf8) else { return nil }
        let hash = SHA256.hash(key)
        return hashes.filter { constantTimeEqual($0.hash, hash) }.first?.name
    }
}
