/// The name of the operator who runs a command, for the audit. It is their own word: a person who can run `latchkeyctl` can
/// give any name.
package struct OperatorName: Sendable, Equatable {
    /// The operator on whose behalf the current task runs; `nil` if there is none, or they gave no name.
    @TaskLocal package static var current: OperatorName?

    /// The name of the variable that contains it.
    package static let variable = "LATCHKEY_OPERATOR"
    package static let form = "1 to 64 of A-Z a-z 0-9 . _ @ -"
    private static let bytesMax = 64

    package let text: String
    private var actor = "operator"

    /// Creates a name, or returns `nil` if the text has another form than `form`.
    package init?(_ text: String) {
        guard 1...Self.bytesMax ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// Makes a name of a login name. Characters that a name cannot have become `-`.
    package init?(login: String) {
        let bytes = login.utf8.prefix(Self.bytesMax).map { Self.isAllowed($0) ? $0 : UInt8(ascii: "-") }
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// The actors of the API for administrators: a user, by their pseudonym, the holder of a key, by its name, or a client, by its
    /// id.
    private static let administrators = ["administrator", "client:key", "client"]

    /// Reads an administrator as audit records contain them, such as `administrator:` and a pseudonym.
    package init?(administrator: String) {
        guard let actor = Self.administrators.first(where: { administrator.hasPrefix($0 + ":") }) else { return nil }
        self.init(String(administrator.dropFirst(actor.count + 1)))
        self.actor = actor
    }

    /// The operator as audit records contain them, such as `operator:alice`; or the administrator.
    package var auditText: String { "\(actor):\(text)" }

    /// Returns a record's detail with the current operator, if there is one.
    package static func detail(_ detail: String?, by name: OperatorName?) -> String? {
        guard let name else { return detail }
        return detail.map { "\($0) \(name.auditText)" } ?? name.auditText
    }

    /// Returns a text of the audit with `operator` in place of an operator's name, `administrator` in place of an administrator's
    /// pseudonym, and `client` in place of a client's id.
    package static func anonymous(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false)
            .map { word in
                (["operator"] + administrators).first { word.hasPrefix($0 + ":") }.map { Substring($0) } ?? word
            }
            .joined(separator: " ")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_@".utf8.contains(byte)
        }
    }
}
