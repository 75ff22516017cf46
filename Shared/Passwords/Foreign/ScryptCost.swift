import COpenSSL

/// What scrypt costs (RFC 7914 §2), and the keys of that cost, by libcrypto.
struct ScryptCost: Sendable {
    private static let lanesMax = 4

    private let count: UInt64
    private let blocks: Int
    private let lanes: Int

    /// - Returns: nil beyond what a login may cost.
    init?(log2N: Int, blocks: Int, lanes: Int) {
        guard (1...20).contains(log2N), (1...64).contains(blocks), (1...Self.lanesMax).contains(lanes),
            (1 << log2N) * blocks / 8 <= ForeignHash.memoryKiBMax
        else { return nil }
        count = 1 << UInt64(log2N)
        self.blocks = blocks
        self.lanes = lanes
    }

    /// 128 bytes for each of N × r.
    var memoryKiB: Int { Int(count) * blocks / 8 }

    func key(of password: [UInt8], salt: [UInt8], byteCount: Int) throws(ForeignHash.Failure) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: byteCount)
        let phrase = password.map { CChar(bitPattern: $0) }
        // Beside the blocks it keeps a little for itself.
        let bytesMax = UInt64(memoryKiB + 1_024) * 1_024
        let code = unsafe EVP_PBE_scrypt(
            phrase, phrase.count, salt, salt.count, count, UInt64(blocks), UInt64(lanes), bytesMax, &key, byteCount)
        guard code == 1 else { throw .ofLibcrypto }
        return key
    }
}
