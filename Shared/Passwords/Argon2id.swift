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
        var (tag, password, salt) = ([UInt8](repeating: 0, count: PasswordHash.tagBytes), password, salt)
        let code = unsafe tag.withUnsafeMutableBufferPointer { tag in
            unsafe password.withUnsafeMutableBufferPointer { password in
                unsafe salt.withUnsafeMutableBufferPointer { salt in
                    var context = unsafe argon2_context()
                    unsafe (context.out, context.outlen) = (tag.baseAddress, UInt32(tag.count))
                    unsafe (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                    unsafe (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                    unsafe (context.t_cost, context.m_cost) = (UInt32(cost.iterations), UInt32(cost.memoryKiB))
                    unsafe (context.lanes, context.threads) = (1, 1)
                    unsafe context.version = ARGON2_VERSION_13.rawValue
                    unsafe context.allocate_cbk = { unsafe HashMemory.allocate($0, $1) }
                    unsafe context.free_cbk = { unsafe HashMemory.free($0, $1) }
                    return unsafe argon2id_ctx(&context)
                }
            }
        }
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return tag
    }
}
