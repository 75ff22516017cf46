import CryptoPrimitives
import StrictJSON

extension CompactJWS {
    /// Returns `payload` signed with `key`; the header contains its `alg` and `kid`.
    ///
    /// - Parameter type: The header's `typ`.
    /// - Throws: `.tokenTooLarge` for a token that our own verifier would refuse, `.operationFailed`.
    package static func sign(_ payload: [UInt8], type: String?, with key: SigningKey) throws(KeyError) -> String {
        var header = JSONWriter()
        header.member("alg", key.algorithm.rawValue)
        header.member("kid", key.keyID)
        if let type { header.member("typ", type) }
        let dot = [UInt8(ascii: ".")]
        var token = Base64URL.encodedBytes(header.finished()) + dot + Base64URL.encodedBytes(payload)
        token += dot + Base64URL.encodedBytes(try key.sign(token))
        guard token.count <= TokenLimits.tokenBytesMax else { throw .tokenTooLarge }
        return String(decoding: token, as: UTF8.self)
    }
}
