import FoundationEssentials

/// The texts of all languages that a deployment has, and everything else that pages and mails show.
package struct MessageCatalog: Sendable, Equatable {
    private static let localesMax = 64

    /// The language of clients that request no language with texts here.
    package let fallback: String
    private let byLocale: [String: MessageTexts]
    package let accent: AccentColor
    package let logo: LogoImage?
    /// The URL scheme that opens the app; `nil` if pages have no link back to it.
    package let scheme: String?
    package let timeZone: LocalTimeZone

    /// - Parameter byLocale: The texts by language tag in lower case, e.g. `de` or `pt-br`, including the fallback.
    package init(
        fallback: String, byLocale: [String: MessageTexts], accent: AccentColor = .standard, logo: LogoImage? = nil,
        scheme: String? = nil, timeZone: LocalTimeZone = .utc
    ) {
        self.fallback = fallback
        self.byLocale = byLocale
        self.accent = accent
        self.logo = logo
        self.scheme = scheme
        self.timeZone = timeZone
    }

    /// The catalog of a policy that shows no texts (`Policy.showsTexts`).
    package static let none = MessageCatalog(fallback: "en", byLocale: [:])

    /// Reads the files `*.yaml` of the folder `policy.messages.texts`, which is next to the policy's file or in `directory`.
    ///
    /// - Throws: `PolicyError` with everything that is wrong with the files, or if there is none for the policy's own language.
    package static func load(_ policy: Policy, directory: String) throws(PolicyError) -> MessageCatalog {
        let texts = policy.messages.texts
        let folder = "\(policy.directory(of: texts, policies: directory))/\(texts)"
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        } catch {
            throw PolicyError(file: policy.name, "messages.texts: \(folder) is no readable folder")
        }
        guard files.count <= localesMax else {
            throw PolicyError(
                file: policy.name, "messages.texts: the folder has \(files.count) files. Keep at most \(localesMax).")
        }
        var byLocale: [String: MessageTexts] = [:]
        for file in files {
            byLocale[file.dropLast(".yaml".count).lowercased()] = try Policy.parse(
                try Policy.read("\(folder)/\(file)", file: file), file: file, MessageTexts.init(reading:))
        }
        guard byLocale[policy.messages.locale] != nil else {
            let known = byLocale.keys.sorted().joined(separator: ", ")
            throw PolicyError(
                file: policy.name,
                "messages.locale \(policy.messages.locale) has no file in \(folder). Use \(known).")
        }
        let wordless = byLocale.filter { $0.value.accounts == nil }.keys.sorted()
        guard policy.passwords == nil || wordless.isEmpty else {
            throw PolicyError(
                file: policy.name,
                "passwords: the texts of \(wordless.joined(separator: ", ")) lack the section accounts")
        }
        let linkless = byLocale.filter { $0.value.accounts?.byLink == nil }.keys.sorted()
        guard !policy.confirmsByLink || linkless.isEmpty else {
            throw PolicyError(
                file: policy.name,
                "dialects: \(Dialect.uta) needs the section accounts.byLink, which the texts of "
                    + "\(linkless.joined(separator: ", ")) lack")
        }
        let pageless = byLocale.filter { $0.value.deletionPage == nil }.keys.sorted()
        guard !policy.deletion.page || pageless.isEmpty else {
            throw PolicyError(
                file: policy.name,
                "deletion.page: the texts of \(pageless.joined(separator: ", ")) lack the section deletionPage")
        }
        let addressless = byLocale.filter { $0.value.address == nil }.keys.sorted()
        guard !policy.sendsMail || addressless.isEmpty else {
            throw PolicyError(
                file: policy.name,
                "email: the texts of \(addressless.joined(separator: ", ")) lack the section address")
        }
        let returnless = byLocale.filter { $0.value.page.returnAdvice == nil }.keys.sorted()
        guard !policy.returnsByPage || returnless.isEmpty else {
            throw PolicyError(
                file: policy.name,
                "webRedirects: the texts of \(returnless.joined(separator: ", ")) lack page.returnAdvice, which addresses without "
                    + "https need")
        }
        let catalog = MessageCatalog(
            fallback: policy.messages.locale, byLocale: byLocale, accent: policy.apps.accent,
            logo: try logo(of: policy, directory: directory), scheme: policy.apps.scheme,
            timeZone: try timeZone(of: policy))
        try catalog.checkSMS(policy, folder: folder)
        try catalog.checkSMS("deletionPage", { policy.deletion.page ? $0.deletionPage?.codes : nil }, policy)
        try catalog.checkSMS("reauthentication", \.reauthentication, policy)
        try catalog.checkSMS("identity", \.identity, policy)
        return catalog
    }

    private static func logo(of policy: Policy, directory: String) throws(PolicyError) -> LogoImage? {
        guard let name = policy.apps.logo else { return nil }
        return try LogoImage.load(
            name, directory: policy.directory(of: name, policies: directory), policy: policy.name)
    }

    private static func timeZone(of policy: Policy) throws(PolicyError) -> LocalTimeZone {
        let name = policy.messages.timeZone
        guard let zone = LocalTimeZone(named: name) else {
            throw PolicyError(
                file: policy.name,
                "messages.timeZone: this system's time zone database has no \(name). Use a name such as Europe/Berlin, or "
                    + "install the package tzdata.")
        }
        return zone
    }

    /// The sentences of text messages, by language.
    func smsSentences(of messages: MessagePolicy) -> [String: String] {
        let sentences = messages.smsLocales.compactMap { locale in
            byLocale[locale]?.sms.map { (locale, $0.replacing("{app}", with: messages.appName)) }
        }
        return Dictionary(sentences) { first, _ in first }
    }

    /// The sentences of text messages with a code for a purpose other than sign-in, by language: in the policy's own, and in those
    /// of `messages.smsLocales`.
    func sentences(_ texts: (MessageTexts) -> CodeTexts?, of messages: MessagePolicy) -> [String: String] {
        byLocale.filter { $0.key == fallback || messages.smsLocales.contains($0.key) }
            .compactMapValues { texts($0)?.sms.replacing("{app}", with: messages.appName) }
    }

    private func checkSMS(
        _ section: String, _ texts: (MessageTexts) -> CodeTexts?, _ policy: Policy
    ) throws(PolicyError) {
        guard policy.sendsCodes else { return }
        for (locale, sentence) in sentences(texts, of: policy.messages) {
            if let problem = Policy.problem(
                ofSMS: sentence, codeLengths: [policy.otp.length], policy.messages, policy.apps)
            {
                throw PolicyError(file: "\(locale).yaml", "\(section).sms \(problem)")
            }
        }
    }

    private func checkSMS(_ policy: Policy, folder: String) throws(PolicyError) {
        let sentences = smsSentences(of: policy.messages)
        let lengths = Set([policy.otp.length] + policy.dialects.map(\.otp.length))
        for locale in policy.messages.smsLocales {
            guard let sentence = sentences[locale] else {
                throw PolicyError(
                    file: policy.name, "messages.smsLocales: \(folder)/\(locale).yaml has no text sms, or is not there")
            }
            if let problem = Policy.problem(
                ofSMS: sentence, codeLengths: lengths, policy.messages, policy.apps)
            {
                throw PolicyError(file: "\(locale).yaml", "sms \(problem)")
            }
        }
    }

    /// Returns the texts of the first language that exists here, in whole or by its primary part (`de` for `de-AT`), and its
    /// tag.
    ///
    /// - Parameter wanted: Language tags (RFC 5646), best first.
    package func texts(for wanted: [String]) -> (locale: String, texts: MessageTexts) {
        for tag in wanted.lazy.map({ $0.lowercased().replacing("_", with: "-") }) {
            if let texts = byLocale[tag] { return (tag, texts) }
            let primary = String(tag.prefix { $0 != "-" })
            if let texts = byLocale[primary] { return (primary, texts) }
        }
        return (fallback, byLocale[fallback] ?? MessageTexts())
    }
}
