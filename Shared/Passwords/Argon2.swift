import CArgon2
import Policies

/// Argon2 with its parameters (RFC 9106), computed by libargon2 on the calling thread, in memory that is released
/// afterwards.
struct Argon2: Sendable {
    /// The library did not compute a hash, e.g. because there is not enough memory.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "Argon2 failed with code \(code)" }
    }

    let kind: Argon2_type
    let version: UInt32
    let memoryKiB: Int
    let iterations: Int
    let lanes: Int

    /// Creates the parameters of our own hashes: Argon2id, version 0x13, one lane.
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

    /// The estimated seconds for each KiB in each iteration.
    private static let unitSeconds = 0.6e-6

    /// The estimated duration of one hash, in seconds.
    var seconds: Double { Double(memoryKiB) * Double(iterations) * Self.unitSeconds }

    /// Returns the hash of a password. Blocks its thread, for about 20 ms at the lowest cost that a policy may set.
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
                    // More than one thread would mean starting and joining one for each lane and quarter of an iteration.
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
