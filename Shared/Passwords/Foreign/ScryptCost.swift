import COpenSSL

/// The cost parameters of scrypt (RFC 7914 §2); derives keys with libcrypto.
struct ScryptCost: Sendable {
    private static let lanesMax = 16
    /// N × r × p: about 1.5 s.
    private static let workMax = 1 << 22
    /// For each unit of N × r × p.
    private static let unitSeconds = 0.3e-6

    private let count: UInt64
    private let blocks: Int
    private let lanes: Int

    /// - Throws: `tooCostly` for more than a login may cost, `unknown` for values that scrypt does not have.
    init(log2N: Int, blocks: Int, lanes: Int) throws(ForeignHash.Problem) {
        guard log2N >= 1, blocks >= 1, lanes >= 1 else { throw .unknown }
        guard log2N <= 20, blocks <= 64, lanes <= Self.lanesMax,
            (1 << log2N) * blocks / 8 <= ForeignHash.memoryKiBMax, (1 << log2N) * blocks * lanes <= Self.workMax
        else { throw .tooCostly }
        count = 1 << UInt64(log2N)
        self.blocks = blocks
        self.lanes = lanes
    }

    /// 128 bytes for each of N × r.
    var memoryKiB: Int { Int(count) * blocks / 8 }

    var seconds: Double { Double(Int(count) * blocks * lanes) * Self.unitSeconds }

    func key(of password: [UInt8], salt: [UInt8], byteCount: Int) throws(ForeignHash.Failure) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: byteCount)
        let phrase = password.map { CChar(bitPattern: $0) }
        // libcrypto needs a little memory in addition to the blocks.
        let bytesMax = UInt64(memoryKiB + 1_024) * 1_024
        let code = unsafe EVP_PBE_scrypt(
            phrase, phrase.count, salt, salt.count, count, UInt64(blocks), UInt64(lanes), bytesMax, &key, byteCount)
        guard code == 1 else { throw .ofLibcrypto }
        return key
    }
}
