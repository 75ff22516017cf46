/// The texts of one section of a file of `messages/`. Before it is read, each text is empty, or `nil` if it may
/// be missing; English is in `deploy/policies/messages/en.yaml`.
protocol TextSection: Sendable {
    init()
}

/// One key of such a section.
typealias TextRow<Texts: TextSection> = Key<Texts>

extension Key where Owner: TextSection {
    /// A line, which has a placeholder or not.
    static func line(
        _ key: String, _ place: any WritableKeyPath<Owner, String> & Sendable, with placeholder: String? = nil
    ) -> Key {
        Key(key, place, .text(.line(with: placeholder)), "", required: true)
    }

    static func optionalLine(
        _ key: String, _ place: any WritableKeyPath<Owner, String?> & Sendable, with placeholder: String? = nil
    ) -> Key {
        Key(key, optional: place, .text(.line(with: placeholder)), "")
    }

    /// The sentence of a text message.
    static func sms(_ key: String, _ place: any WritableKeyPath<Owner, String> & Sendable) -> Key {
        Key(key, place, .text(.smsSentence), "", required: true)
    }

    static func optionalSMS(_ key: String, _ place: any WritableKeyPath<Owner, String?> & Sendable) -> Key {
        Key(key, optional: place, .text(.smsSentence), "")
    }

    /// A section with rows of its own.
    static func section<Inner: TextSection>(
        _ key: String, _ place: any WritableKeyPath<Owner, Inner> & Sendable, _ rows: [TextRow<Inner>]
    ) -> Key {
        Key(key, section: place, rows, "", required: true)
    }

    static func optionalSection<Inner: TextSection>(
        _ key: String, _ place: any WritableKeyPath<Owner, Inner?> & Sendable, _ rows: [TextRow<Inner>]
    ) -> Key {
        Key(key, optional: place, .section(Inner(), rows), "")
    }
}

extension ValueRule where Value == String {
    fileprivate static var smsSentence: TextRule {
        TextRule("1 to 150 characters on one line with {code} once") { text in
            (1...150).contains(text.unicodeScalars.count) && OTPPolicy.parts(of: text).count == 2
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    /// A line of a message.
    fileprivate static func line(with placeholder: String?) -> TextRule {
        let words = "1 to 300 characters on one line" + (placeholder.map { " with \($0)" } ?? "")
        return TextRule(words) { text in
            (1...300).contains(text.unicodeScalars.count)
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                && placeholder.map { text.contains($0) } ?? true
        }
    }
}
