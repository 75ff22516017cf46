import CryptoPrimitives
import StrictJSON
import Testing

/// Payloads of every kind, and good tokens with one thing changed.
enum RandomTokens {
    /// A JSON object with up to a dozen members; never empty, and every string is one that JSON must escape or not.
    static func payload() -> [UInt8] {
        var writer = JSONWriter()
        writer.member("jti", Hex.encode(SecureRandom.bytes(8)))
        for number in 0..<Int.random(in: 0...11) {
            switch Int.random(in: 0...3) {
            case 0: writer.member("n\(number)", Int64.random(in: .min ... .max))
            case 1: writer.member("n\(number)", Bool.random())
            case 2: writer.member("n\(number)", (0..<Int.random(in: 0...4)).map { _ in text() })
            default: writer.member("n\(number)", text())
            }
        }
        return writer.finished()
    }

    /// `token` with one bit of its payload turned, and with one of its signature.
    static func tampered(_ token: String) throws -> [String] {
        let parts = try token.split(separator: ".").map { try #require(Base64URL.decode(String($0))) }
        try #require(parts.count == 3)
        return (1...2).map { part in
            var altered = parts
            let bit = Int.random(in: 0..<altered[part].count * 8)
            altered[part][bit / 8] ^= 1 << (bit % 8)
            return altered.map { Base64URL.encode($0) }.joined(separator: ".")
        }
    }

    private static let scalars: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x20...0x7E, 0xA0...0x7FF, 0x2028...0x2029, 0x1F300...0x1F5FF,
    ]

    private static func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20) {
            guard let range = scalars.randomElement(), let scalar = Unicode.Scalar(UInt32.random(in: range)) else {
                continue
            }
            text.append(scalar)
        }
        return String(text)
    }
}
