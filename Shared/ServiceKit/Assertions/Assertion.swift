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
    private static let separator = UInt8(ascii: ";")

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
        joined(
            ["v1", caller, service, "\(time)", Hex.encode(nonce), method, path, Hex.encode(SHA256.hash(body))],
            by: UInt8(ascii: "\n"))
    }

    /// The header's value.
    var text: String {
        let parts = ["v1", caller, keyID, "\(time)", Base64URL.encode(nonce), Base64URL.encode(code)]
        return String(decoding: Self.joined(parts, by: Self.separator), as: UTF8.self)
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
        // Over bytes: splitting a string looks for the bounds of its characters, at a hundred times the cost.
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.textBytesMax else { return nil }
        let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == [UInt8(ascii: "v"), UInt8(ascii: "1")],
            let time = Int64(String(decoding: parts[3], as: UTF8.self)),
            let nonce = Base64URL.decode(parts[4]), nonce.count == Self.nonceByteCount,
            let code = Base64URL.decode(parts[5])
        else { return nil }
        self.init(
            caller: String(decoding: parts[1], as: UTF8.self), keyID: String(decoding: parts[2], as: UTF8.self),
            time: time, nonce: nonce, code: code)
    }

    private static func joined(_ parts: [String], by separator: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(textBytesMax)
        for (position, part) in parts.enumerated() {
            if position > 0 { bytes.append(separator) }
            bytes.append(contentsOf: part.utf8)
        }
        return bytes
    }
}
