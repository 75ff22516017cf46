import CArgon2
import Policies

/// Argon2 with its parameters (RFC 9106), by libargon2: on the calling thread alone, in memory that is given back.
struct Argon2: Sendable {
    /// The library did not make a hash, e.g. because there is no memory for it.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "Argon2 failed with code \(code)" }
    }

    let kind: Argon2_type
    let version: UInt32
    let memoryKiB: Int
    let iterations: Int
    let lanes: Int

    /// Ours: Argon2id, version 0x13, one lane.
    init(_ cost: PasswordCost) {
        self.init(
            kind: Argon2_id, version: ARGON2_VERSION_13.rawValue, memoryKiB: cost.memoryKiB,
            iterations: cost.iterations, lanes: 1)
    }

    init(kind: Argon2_type, version: UInt32, memoryKiB: Int, iterations: Int, lanes: Int) {
        self.kind = kind
        self.version = version
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.lanes = lanes
    }

    /// For each KiB that each iteration fills.
    private static let unitSeconds = 0.6e-6

    /// The estimated duration of one hash, in seconds.
    var seconds: Double { Double(memoryKiB) * Double(iterations) * Self.unitSeconds }

    /// The hash of a password. Blocks its thread, for some 20 ms at the lowest cost that a policy may set.
    func tag(of password: [UInt8], salt: [UInt8], byteCount: Int) throws(Failure) -> [UInt8] {
        var (tag, password, salt) = ([UInt8](repeating: 0, count: byteCount), password, salt)
        let code = unsafe tag.withUnsafeMutableBufferPointer { tag in
            unsafe password.withUnsafeMutableBufferPointer { password in
                unsafe salt.withUnsafeMutableBufferPointer { salt in
                    var context = unsafe argon2_context()
                    unsafe (context.out, context.outlen) = (tag.baseAddress, UInt32(clamping: tag.count))
                    unsafe (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(clamping: password.count))
                    unsafe (context.salt, context.saltlen) = (salt.baseAddress, UInt32(clamping: salt.count))
                    unsafe (context.t_cost, context.m_cost) = (
                        UInt32(clamping: iterations), UInt32(clamping: memoryKiB)
                    )
                    // More threads than one would be begun and ended for each lane and quarter of an iteration.
                    unsafe (context.lanes, context.threads) = (UInt32(clamping: lanes), 1)
                    unsafe context.version = version
                    unsafe context.allocate_cbk = { unsafe HashMemory.allocate($0, $1) }
                    unsafe context.free_cbk = { unsafe HashMemory.free($0, $1) }
                    return unsafe argon2_ctx(&context, kind)
                }
            }
        }
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return tag
    }
}
