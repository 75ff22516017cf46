/// The valid secrets for one purpose, read from a file of `kid secret` lines: all of them verify, the first one signs.
///
/// To rotate a key, write the new line above the old one, restart or reload both sides, and delete the old line once
/// nothing signed with it is still valid.
package struct KeyRing: Sendable {
    /// A named secret.
    package struct Key: Sendable {
        package let id: String
        package let secret: [UInt8]
        /// The HMAC with the secret.
        package let hmac: HMACSHA256

        package init(id: String, secret: [UInt8]) {
            self.id = id
            self.secret = secret
            hmac = HMACSHA256(key: secret)
        }
    }

    /// Why a key file cannot be used; contains the line number, never the secret.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        case empty
        case tooManyKeys(maximum: Int)
        case malformedLine(Int)
        case shortSecret(line: Int, minimumBytes: Int)
        case duplicateID(line: Int)
        case placeholder(line: Int)

        package var description: String {
            switch self {
            case .empty: "holds no key; expected lines of the form: kid secret"
            case .tooManyKeys(let maximum): "holds more than \(maximum) keys"
            case .malformedLine(let line): "line \(line): expected 'kid secret', kid of A-Z a-z 0-9 . _ -"
            case .shortSecret(let line, let minimum): "line \(line): the secret has fewer than \(minimum) bytes"
            case .duplicateID(let line): "line \(line): the kid was used on an earlier line"
            case .placeholder(let line): "line \(line): the secret is a well-known example"
            }
        }
    }

    package static let keyCountMax = 8
    package static let secretBytesMin = 32
    package static let idLengthMax = 128

    /// The key that signs.
    package let signing: Key
    /// Every valid key, in the file's order.
    package let all: [Key]

    /// Reads the lines of a key file; blank lines and lines that begin with `#` are ignored.
    package init(parsing text: String, keyCountMax: Int = Self.keyCountMax) throws(Problem) {
        var ordered: [Key] = []
        // CR LF is one Character: a split at "\n" would return such a file in one piece.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let first = fields.first, !first.hasPrefix("#") else { continue }
            let key = try Self.key(fields, line: index + 1)
            guard !ordered.contains(where: { $0.id == key.id }) else { throw .duplicateID(line: index + 1) }
            ordered.append(key)
        }
        try self.init(ordered, keyCountMax: keyCountMax)
    }

    /// Creates a ring of keys from other rings, the first of which signs; if two keys have the same kid, the first one
    /// counts.
    package init(_ ordered: [Key], keyCountMax: Int = Self.keyCountMax) throws(Problem) {
        guard let first = ordered.first else { throw .empty }
        guard ordered.count <= keyCountMax else { throw .tooManyKeys(maximum: keyCountMax) }
        signing = first
        all = ordered
    }

    /// Whether another ring has the same keys in the same order.
    package func hasSameKeys(as other: KeyRing) -> Bool {
        all.elementsEqual(other.all) { $0.id == $1.id && $0.secret == $1.secret }
    }

    /// The key whose id has the same bytes as `id`.
    package subscript(id: String) -> Key? { all.first { $0.id.utf8.elementsEqual(id.utf8) } }

    private static func key(_ fields: [Substring], line: Int) throws(Problem) -> Key {
        guard fields.count == 2, isValidID(fields[0]) else { throw .malformedLine(line) }
        let secret = Array(fields[1].utf8)
        guard secret.count >= secretBytesMin else { throw .shortSecret(line: line, minimumBytes: secretBytesMin) }
        guard !isPlaceholder(fields[1]) else { throw .placeholder(line: line) }
        return Key(id: String(fields[0]), secret: secret)
    }

    private static func isValidID(_ id: Substring) -> Bool {
        !id.isEmpty && id.utf8.count <= idLengthMax
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Whether the secret comes from a document or an example (security guide R-24, R-104).
    private static func isPlaceholder(_ secret: Substring) -> Bool {
        // The admin keys of Supabase begin with a word that is weak anywhere else.
        let own = secret.hasPrefix("sb_secret_") ? secret.dropFirst(10) : secret
        let lowered = own.lowercased()
        return Set(own.utf8).count < 8 || isRepetition(Array(own.utf8))
            || knownParts.contains { lowered.contains($0) }
    }

    /// Whether `text` is one short piece repeated.
    private static func isRepetition(_ text: [UInt8]) -> Bool {
        (1...16).contains { length in
            text.count >= 2 * length && text.indices.dropFirst(length).allSatisfy { text[$0] == text[$0 - length] }
        }
    }

    /// Known parts of weak secrets in lower case: placeholders that people forget to replace, jwt.io's old and new
    /// examples, keyboard and alphabet sequences, the keys of RFC 7515 A.1 and RFC 7520 3.5.
    private static let knownParts = [
        "changeme", "change_me", "change-me", "changethis", "secret", "password", "example", "placeholder", "insecure",
        "your-256-bit", "your_jwt", "qwertyuiop", "abcdefghijklm", "1234567890123456",
        "aym1syspp", "hjtxiz2usn5kbqfbttnwbpdmhkv8fjg",
    ]
}
