import CArgon2
import Policies

/// Argon2id, version 0x13, one lane (RFC 9106), by libargon2.
enum Argon2id {
    /// The library did not make a hash, e.g. because there is no memory for it.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "Argon2id failed with code \(code)" }
    }

    /// The hash of a password; blocks its thread for some 20 ms at the least cost.
    static func tag(of password: [UInt8], salt: [UInt8], cost: PasswordCost) throws(Failure) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: PasswordHash.tagBytes)
        let code = unsafe argon2id_hash_raw(
            UInt32(cost.iterations), UInt32(cost.memoryKiB), 1, password, password.count, salt, salt.count, &tag,
            tag.count)
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return tag
    }
}
