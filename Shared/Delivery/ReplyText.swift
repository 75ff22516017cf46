/// A provider's message about a failure, made safe for logs and operators: short, on one line, without addresses and
/// secrets.
enum ReplyText {
    private static let lengthMax = 200
    private static let hidden = "(hidden)"

    /// - Parameters:
    ///     - text: The text as the provider sent it.
    ///     - address: The recipient's email address, no part of which remains.
    ///     - secrets: Texts to remove, e.g. a password.
    static func safe(_ text: String, without address: String, secrets: [String] = []) -> String {
        var text = secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: hidden) }
        text = String(String.UnicodeScalarView(text.unicodeScalars.map { isShown($0) ? $0 : " " }))
        let local = address.prefix { $0 != "@" }.lowercased()
        let words = text.split(separator: " ").map { word in hides(word, local) ? hidden : String(word) }
        return String(words.joined(separator: " ").prefix(lengthMax))
    }

    /// Whether a word is an address, or has the recipient's name in it.
    private static func hides(_ word: Substring, _ local: String) -> Bool {
        if word.contains("@") { return true }
        let parts = word.lowercased().split { !($0.isLetter || $0.isNumber || "._+-=%".contains($0)) }
        return !local.isEmpty
            && parts.contains { part in
                part == local
                    || (part.hasPrefix(local) || part.hasSuffix(local)) && part.contains { "=%+".contains($0) }
            }
    }

    /// Letters, marks, digits, punctuation and symbols; no controls, line ends or invisible characters.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
