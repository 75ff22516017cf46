internal import CryptoPrimitives

/// Proof that one of our processes made a request: the header `Latchkey-Assertion` (security guide section 1).
///
/// Form: `v1;<caller>;<kid>;<milliseconds>;<nonce>;<code>`. The code is HMAC-SHA256 with the pair's key over caller,
/// service, time, nonce, method, path with query, and SHA-256 of the body.
struct Assertion: Sendable, Equatable {
    static let header = "Latchkey-Assertion"
    /// Bytes of a nonce.
    static let nonceByteCount = 16
    static let textBytesMax = 512

    let caller: String
    let keyID: String
    /// Unix time in milliseconds.
    let time: Int64
    let nonce: [UInt8]
    let code: [UInt8]

    /// What the code covers.
    static func message(
        caller: String, service: String, time: Int64, nonce: [UInt8], method: String, path: String, body: [UInt8]
    ) -> [UInt8] {
        Array(
            "v1\n\(caller)\n\(service)\n\(time)\n\(Hex.encode(nonce))\n\(method)\n\(path)\n\(Hex.encode(SHA256.hash(body)))"
                .utf8)
    }

    /// The header's value.
    var text: String {
        "v1;\(caller);\(keyID);\(time);\(Base64URL.encode(nonce));\(Base64URL.encode(code))"
    }

    init(caller: String, keyID: String, time: Int64, nonce: [UInt8], code: [UInt8]) {
        self.caller = caller
        self.keyID = keyID
        self.time = time
        self.nonce = nonce
        self.code = code
    }

    /// Reads a header's value; nil unless it has exactly this form.
    init?(parsing text: String) {
        guard text.utf8.count <= Self.textBytesMax else { return nil }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "v1", let time = Int64(parts[3]),
            let nonce = Base64URL.decode(parts[4].utf8), nonce.count == Self.nonceByteCount,
            let code = Base64URL.decode(parts[5].utf8)
        else { return nil }
        self.init(caller: String(parts[1]), keyID: String(parts[2]), time: time, nonce: nonce, code: code)
    }
}
