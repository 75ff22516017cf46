import Testing

/// A kind of message that two readers may take for different ones; every member of it must be refused.
struct SmugglingFamily: Sendable, CustomTestStringConvertible {
    let name: String
    /// The first line; `{}` stands for the target.
    let start: String
    /// Beside `Host`; they stay together and in order.
    let fields: [String]
    let body: String
    let hasHost: Bool

    init(
        _ name: String, start: String = "POST {} HTTP/1.1", _ fields: [String] = [], body: String = "",
        hasHost: Bool = true
    ) {
        self.name = name
        self.start = start
        self.fields = fields
        self.body = body
        self.hasHost = hasHost
    }

    var testDescription: String { name }

    /// A member of the family: another target and method, other spellings of the names, other fields around, cut into other
    /// pieces, perhaps after a good request on the same connection. None of that makes it good.
    func member(_ random: inout SeededGenerator) -> SmuggledMessage {
        let target = "/t\(Int.random(in: 0..<100_000, using: &random))"
        var start = start.replacing("{}", with: target)
        if start.hasPrefix("POST ") {
            start = (["POST", "PUT", "PATCH"].randomElement(using: &random) ?? "POST") + start.dropFirst(4)
        }
        let bad = fields.map { Self.respelled($0, &random) }
        var lines = Self.harmless(&random) + bad + Self.harmless(&random)
        if hasHost {
            let host = Self.respelled("Host: a.example", &random)
            lines.insert(host, at: Bool.random(using: &random) ? 0 : lines.count)
        }
        let head = ([start] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return SmuggledMessage(
            firstLine: Int.random(in: 0..<3, using: &random) == 0 ? "GET /first\(target.dropFirst()) HTTP/1.1" : nil,
            message: head + body + (SmuggledMessage.hidden.randomElement(using: &random) ?? ""), &random)
    }

    private static func harmless(_ random: inout SeededGenerator) -> [String] {
        let known = [
            "Accept: */*", "User-Agent: x/1.0", "Cookie: a=b; c=d", "Accept-Language: de", "X-Trace:1", "DNT:  1 ",
        ]
        return known.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map { respelled($0, &random) }
    }

    /// Letters of a field's name in upper or lower case.
    private static func respelled(_ field: String, _ random: inout SeededGenerator) -> String {
        guard let colon = field.firstIndex(of: ":") else { return field }
        let name = field[..<colon].map { Bool.random(using: &random) ? $0.uppercased() : $0.lowercased() }.joined()
        return name + field[colon...]
    }
}

/// The bytes of one attempt.
struct SmuggledMessage: Sendable {
    /// The bytes after the refused message, which must not become a request.
    static let hidden = [
        "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n", "POST /hidden HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nx",
        "GET /hidden HTTP/1.1\r\nX: ", "0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n",
    ]

    /// Line of the good request in front of it, which must be answered.
    let firstLine: String?
    /// In the order in which they are sent.
    let pieces: [String]

    init(firstLine: String?, message: String, _ random: inout SeededGenerator) {
        self.firstLine = firstLine
        var rest = Substring((firstLine.map { $0 + "\r\nHost: a\r\n\r\n" } ?? "") + message)
        var pieces: [String] = []
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
            let piece = rest.prefix(Int.random(in: 0...rest.count, using: &random))
            pieces.append(String(piece))
            rest = rest.dropFirst(piece.count)
        }
        self.pieces = (pieces + [String(rest)]).filter { !$0.isEmpty }
    }

    var byteCount: Int { pieces.reduce(0) { $0 + $1.utf8.count } }
}
