import ServiceKit

/// The languages of the pages.
enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// The first of the browser's languages that the pages have, English if there is none.
    init(accepted field: String) {
        let known = LanguageTags.ranked(field).lazy.compactMap { tag in
            Self(rawValue: String(tag.lowercased().prefix { $0 != "-" }))
        }
        self = known.first ?? .english
    }
}

/// The texts of a page in one language.
struct Words: Sendable {
    let language: Language

    /// Returns a text, with values in place of its `{}`.
    func callAsFunction(_ text: ConsoleText, _ values: String...) -> String {
        var filled = language == .german ? text.words.german : text.words.english
        for value in values { filled = filled.replacing("{}", with: value, maxReplacements: 1) }
        return filled
    }

    /// Returns a moment as a piece of a page.
    ///
    /// - Parameter second: Unix time.
    func time(_ second: Int64) -> HTML {
        "<time datetime=\"\(ISOTime.text(second))Z\">\(Self.moment(second))</time>"
    }

    /// Returns a moment as text, to the minute.
    static func moment(_ second: Int64) -> String {
        "\(ISOTime.text(second).prefix(16).replacing("T", with: " ")) UTC"
    }
}
