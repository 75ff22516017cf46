import COpenSSL

extension Ed25519Point {
    /// Whether the y of `point` has an x: (y² − 1) / (d·y² + 1) must be a square modulo p (RFC 8032 §5.1.3).
    ///
    /// libcrypto accepts any 32 bytes as a key, and fails only when it verifies a signature.
    static func isOnCurve(_ point: [UInt8]) -> Bool {
        guard point.count == byteCount, let context = unsafe BN_CTX_new() else { return false }
        unsafe BN_CTX_start(context)
        defer {
            unsafe BN_CTX_end(context)
            unsafe BN_CTX_free(context)
        }
        return unsafe isSquare(y: withoutSign(point), context)
    }

    /// Since d = −121665 / 121666, the fraction is a square if (y² − 1) · (121666 − 121665·y²) · 121666 is one.
    private static func isSquare(y: [UInt8], _ context: OpaquePointer) -> Bool {
        guard let modulus = unsafe BN_CTX_get(context), let square = unsafe BN_CTX_get(context),
            let left = unsafe BN_CTX_get(context), let right = unsafe BN_CTX_get(context),
            unsafe BN_lebin2bn(prime, Int32(byteCount), modulus) != nil,
            unsafe BN_lebin2bn(y, Int32(byteCount), square) != nil,
            unsafe BN_mod_sqr(square, square, modulus, context) == 1,
            unsafe BN_copy(left, square) != nil, unsafe BN_sub_word(left, 1) == 1,
            unsafe BN_mul_word(square, 121_665) == 1, unsafe BN_set_word(right, 121_666) == 1,
            unsafe BN_sub(right, right, square) == 1,
            unsafe BN_mod_mul(left, left, right, modulus, context) == 1, unsafe BN_mul_word(left, 121_666) == 1
        else { return false }
        // 1 for squares, 0 for 0, −1 for all others, −2 for an error.
        return unsafe BN_nnmod(left, left, modulus, context) == 1 && BN_kronecker(left, modulus, context) >= 0
    }
}
