extension RefreshPolicyFile {
    private static let profile = "  mobile:\n"
    private static let native = "  - name: native\n    profile: mobile\n"

    /// The policy `text` with the tokens of native's pages in cookies.
    ///
    /// - Throws: `Outdated` as below.
    static func givingPagesCookies(_ text: String) throws -> String {
        guard text.contains(native) else { throw Outdated(description: "howru.yaml has no native dialect") }
        return text.replacing(native, with: native + "    web: cookies\n")
    }

    /// The policy `text` with one more dialect, whose profile bears its name and is otherwise that of `native`.
    ///
    /// - Throws: `Outdated` when the text is no longer howru's as it was.
    static func adding(dialect: String, host: String? = nil, to text: String) throws -> String {
        guard let start = text.firstRange(of: profile), text.contains(native),
            let end = text[start.upperBound...].firstRange(of: "\n\n")
        else { throw Outdated(description: "howru.yaml has no native dialect with the profile mobile") }
        let copy = "  \(dialect):\n\(text[start.upperBound..<end.lowerBound])\n"
        let own = host.map { "    host: \($0)\n" } ?? ""
        let spoken = "\(native)  - name: \(dialect)\n    profile: \(dialect)\n\(own)"
        let rest = text[start.lowerBound...].replacing(native, with: spoken)
        // All but aarokya are for passwords.
        return "\(text[..<start.lowerBound])\(copy)\(rest)\npasswords: {}\n"
    }
}
