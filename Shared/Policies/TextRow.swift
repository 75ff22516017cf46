/// The texts of one section of a file of `messages/`. Before it is read, each text is empty, or `nil` if it may
/// be missing; English is in `deploy/policies/messages/en.yaml`.
protocol TextSection: Sendable {
    init()
}

/// One key of such a section: its name, the rule of its value, and the place to which it is read.
struct TextRow<Texts: TextSection>: Sendable {
    let key: String
    /// Whether the file may leave it out.
    let isOptional: Bool
    private let read: @Sendable (PolicySection, inout Texts) -> Void

    private init(
        _ key: String, isOptional: Bool = false, _ read: @escaping @Sendable (PolicySection, inout Texts) -> Void
    ) {
        (self.key, self.isOptional, self.read) = (key, isOptional, read)
    }

    /// Reads all rows, so that everything that is wrong or missing is found at once.
    static func read(_ rows: [TextRow], of section: PolicySection, into texts: inout Texts) {
        for row in rows { row.read(section, &texts) }
    }
}

extension TextRow {
    /// A line, which has a placeholder or not.
    static func line(
        _ key: String, _ place: any WritableKeyPath<Texts, String> & Sendable, with placeholder: String? = nil
    ) -> TextRow {
        TextRow(key) { $0.requiredText(key, .line(with: placeholder), into: &$1[keyPath: place]) }
    }

    static func optionalLine(
        _ key: String, _ place: any WritableKeyPath<Texts, String?> & Sendable, with placeholder: String? = nil
    ) -> TextRow {
        TextRow(key, isOptional: true) { $0.text(key, .line(with: placeholder), into: &$1[keyPath: place]) }
    }

    /// The sentence of a text message.
    static func sms(_ key: String, _ place: any WritableKeyPath<Texts, String> & Sendable) -> TextRow {
        TextRow(key) { $0.requiredText(key, .smsSentence, into: &$1[keyPath: place]) }
    }

    static func optionalSMS(_ key: String, _ place: any WritableKeyPath<Texts, String?> & Sendable) -> TextRow {
        TextRow(key, isOptional: true) { $0.text(key, .smsSentence, into: &$1[keyPath: place]) }
    }

    /// A section with rows of its own.
    static func section<Inner: TextSection>(
        _ key: String, _ place: any WritableKeyPath<Texts, Inner> & Sendable, _ rows: [TextRow<Inner>]
    ) -> TextRow {
        TextRow(key) { section, texts in
            section.requiredSection(key) { TextRow<Inner>.read(rows, of: $0, into: &texts[keyPath: place]) }
        }
    }

    static func optionalSection<Inner: TextSection>(
        _ key: String, _ place: any WritableKeyPath<Texts, Inner?> & Sendable, _ rows: [TextRow<Inner>]
    ) -> TextRow {
        TextRow(key, isOptional: true) { section, texts in
            section.section(key) { section in
                var inner = Inner()
                TextRow<Inner>.read(rows, of: section, into: &inner)
                texts[keyPath: place] = inner
            }
        }
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
