import EdgeHTTP
import InternalAPI
import Policies
import ServiceKit

/// A page behind a mailed link, with one button. Opening it changes nothing, so a link scanner does nothing by it.
protocol ButtonPage: Sendable {
    var appName: String { get }
    var catalog: MessageCatalog { get }
    /// The address of the form, beside that of the page.
    static var action: String { get }
    /// The names of the form's members.
    static var members: [String] { get }
    static func texts(of language: MessageTexts) -> ButtonPageTexts
}

extension ButtonPage {
    /// The page with the button.
    ///
    /// - Parameters:
    ///   - values: those of `members`.
    ///   - locales: language tags, best first.
    func button(_ values: [String], locales: [String]) -> Reply {
        let fields = zip(Self.members, values).map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value.escapedForHTML)\">"
        }
        return page(locales) { texts in
            """
            <p>\(filled(texts.advice))</p>
            <form method="post" action="\(Self.action)">
            \(fields.joined(separator: "\n"))
            <button>\(filled(texts.button))</button>
            </form>
            """
        }
    }

    /// Reads the values of the submitted form's `members`.
    func values(_ body: [UInt8]) throws(Refusal) -> [String] {
        let form = try WebPage.form(body, bytesMax: 1_024)
        let values = Self.members.compactMap { form[$0] }
        guard form.names == Set(Self.members), values.count == Self.members.count else { throw .invalidBody(.unfit) }
        return values
    }

    func done(locales: [String]) -> Reply { page(locales) { "<p>\(filled($0.done))</p>" } }

    func reply(to refusal: Refusal, locales: [String]) -> Reply {
        let words = RefusalWords(refusal)
        return page(locales, status: words.status, headers: words.allHeaders) { texts in
            switch refusal {
            case .unavailable, .changePending, .tooMany, .tooManyRequests: "<p>\(filled(texts.unavailable))</p>"
            default: "<p>\(filled(texts.invalidLink))</p>"
            }
        }
    }

    private func page(
        _ locales: [String], status: Int = 200, headers: [(String, String)] = [], _ body: (ButtonPageTexts) -> String
    ) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let words = Self.texts(of: texts)
        return WebPage(
            title: filled(words.title), body: body(words), locale: locale, direction: texts.direction, appName: appName,
            accent: catalog.accent, logo: catalog.logo, formTarget: .own
        ).reply(status: status, headers: headers)
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}
