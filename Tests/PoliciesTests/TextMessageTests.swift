import FoundationEssentials
import Testing

@testable import Policies

/// The text messages that are sent, read like phones and networks read them.
@Suite struct TextMessageTests {
    private static let hash = "FA+9qCX9VSu"

    private static func texts(_ domain: String? = nil, _ byLocale: [String: String] = [:]) -> SMSTexts {
        var otp = OTPPolicy()
        otp.messageTemplate = "Your HowRU code is {code}"
        return SMSTexts(otp: otp, domain: domain, hashes: [hash], byLocale: byLocale)
    }

    @Test func `the three forms are these, byte by byte`() {
        let (plain, bound) = (Self.texts(), Self.texts("howru.app"))
        #expect(plain.message(code: "472918", wanted: "de", appHash: nil) == "Your HowRU code is 472918")
        #expect(
            bound.message(code: "472918", wanted: nil, appHash: nil)
                == "Your HowRU code is 472918\n\n@howru.app #472918")
        for texts in [plain, bound] {
            #expect(
                texts.message(code: "472918", wanted: nil, appHash: Self.hash)
                    == "<#> Your HowRU code is 472918\nFA+9qCX9VSu")
        }
    }

    @Test func `a browser's parser finds domain and code, Android's finds code and app`() throws {
        let bound = Self.texts("howru.app").message(code: "472918", wanted: nil, appHash: nil)
        let found = try #require(DomainBoundCode(parsing: bound))
        #expect(found.host == "howru.app" && found.code == "472918")
        let android = Self.texts().message(code: "472918", wanted: nil, appHash: Self.hash)
        #expect(RetrieverMessage(parsing: android, hash: Self.hash)?.code == "472918")
        #expect(RetrieverMessage(parsing: bound, hash: Self.hash) == nil)
        #expect(DomainBoundCode(parsing: android) == nil)
    }

    @Test func `a language has its own text, whole or by its primary part, and all others have that of all`() {
        let texts = Self.texts(nil, ["de": "{code} ist dein Code", "pt-br": "{code} é o seu código"])
        #expect(texts.message(code: "1", wanted: "de-AT", appHash: nil) == "1 ist dein Code")
        #expect(texts.message(code: "1", wanted: "PT_BR", appHash: nil) == "1 é o seu código")
        #expect(texts.message(code: "1", wanted: "pt", appHash: nil) == "Your HowRU code is 1")
        #expect(texts.locale(for: "de-AT") == "de" && texts.locale(for: "fr") == nil && texts.locale(for: nil) == nil)
    }

    /// Counted by the table of 3GPP TS 23.038 §6.2.1 as it stands there, one row after the other.
    @Test func `septets are counted as the standard's table has them`() {
        let table =
            "@£$¥èéùìòÇ\nØø\rÅå" + "Δ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ" + " !\"#¤%&'()*+,-./" + "0123456789:;<=>?"
            + "¡ABCDEFGHIJKLMNO"
            + "PQRSTUVWXYZÄÖÑÜ§" + "¿abcdefghijklmno" + "pqrstuvwxyzäöñüà"
        #expect(table.unicodeScalars.count == 128)
        for scalar in table.unicodeScalars where scalar != "\u{1B}" { #expect(SMSSegment(String(scalar)).septets == 1) }
        for scalar in "^{}\\[~]|€".unicodeScalars { #expect(SMSSegment(String(scalar)).septets == 2) }
        for text in ["ć", "’", "ع", "👍", "\u{1B}", "`"] { #expect(SMSSegment(text).septets == nil) }
        let lengths = [(160, "a", 1), (161, "a", 2), (306, "a", 2), (307, "a", 3), (80, "€", 1), (81, "€", 2)]
        for (count, text, segments) in lengths {
            #expect(SMSSegment(String(repeating: text, count: count)).count == segments)
        }
        for (count, segments) in [(70, 1), (71, 2), (134, 2), (135, 3)] {
            #expect(SMSSegment(String(repeating: "ع", count: count)).count == segments)
        }
        #expect(
            SMSSegment(String(repeating: "👍", count: 35)).isOne && !SMSSegment(String(repeating: "👍", count: 36)).isOne)
    }

    @Test func `a text that makes two messages in some form refuses the policy, and says which`() {
        let long = String(repeating: "x", count: 90)
        let otp = "otp: { message: \"\(long) {code}\" }\n"
        #expect(PolicyText.findings(PolicyText.minimal + otp).isEmpty)
        let domain = "messages: { appDomain: \"\(String(repeating: "a", count: 50)).example.com\" }\n"
        let findings = PolicyText.findings(PolicyText.minimal + otp + domain)
        #expect(
            findings.count == 1 && findings[0].contains("otp.message") && findings[0].contains("messages.appDomain"))
        let arabic = String(repeating: "ع", count: 60)
        #expect(PolicyText.findings(PolicyText.minimal + "otp: { message: \"\(arabic) {code}\" }\n").isEmpty)
        #expect(PolicyText.findings(PolicyText.minimal + "otp: { message: \"\(arabic)عععع {code}\" }\n").count == 1)
        let app =
            "apps: { android: [{ package: com.example.app, sha256: [\"\(fingerprint)\"], smsHash: FA+9qCX9VSu }] }\n"
        #expect(PolicyText.findings(PolicyText.minimal + otp + app).isEmpty)
        // 70 units, yet more bytes than the SMS Retriever reads.
        let units = "otp: { message: \"\(String(repeating: "ع", count: 40)) {code}\" }\n"
        #expect(PolicyText.findings(PolicyText.minimal + units).isEmpty)
        let short = PolicyText.findings(PolicyText.minimal + "otp: { message: \"\(arabic) {code}\" }\n" + app)
        #expect(short.count == 1 && short[0].contains("smsHash"))
    }

    private var fingerprint: String { Array(repeating: "AB", count: 32).joined(separator: ":") }

    @Test func `each language that ships fits one message in each form, with the longest name`() throws {
        let folder = PolicyText.policiesDirectory()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder + "/messages") {
            let locale = String(file.dropLast(".yaml".count))
            let name = locale == "ar" ? String(repeating: "N", count: 16) : String(repeating: "N", count: 64)
            let policy = try Policy.parse(
                PolicyText.minimal
                    + "messages: { smsLocales: [\(locale)], locale: en, appName: \(name), appDomain: auth.example.com }\n"
                    + "apps: { android: [{ package: com.example.app, sha256: [\"\(fingerprint)\"], smsHash: FA+9qCX9VSu }] }\n",
                file: "test.yaml")
            let catalog = try MessageCatalog.load(policy, directory: folder)
            let texts = SMSTexts(policy, otp: policy.otp, catalog: catalog)
            for hash in [nil, Self.hash] {
                let text = texts.message(code: "00000000", wanted: locale, appHash: hash)
                #expect(text.contains("00000000") && text.contains(name) && !text.contains("{"))
                #expect(SMSSegment(text).isOne && (hash == nil || text.utf8.count <= 140))
            }
        }
    }

    @Test func `a language without a text for messages, or with one too long, stops the start`() throws {
        let folder = PolicyText.policiesDirectory()
        func load(_ messages: String) throws {
            let policy = try Policy.parse(PolicyText.minimal + "messages: { \(messages) }\n", file: "test.yaml")
            _ = try MessageCatalog.load(policy, directory: folder)
        }
        try load("smsLocales: [de, ar]")
        #expect(throws: PolicyError.self) { try load("smsLocales: [fr]") }
        #expect(throws: PolicyError.self) {
            try load("smsLocales: [ar], appName: \(String(repeating: "N", count: 60))")
        }
    }
}

/// The format of WICG sms-one-time-codes, read as its section "parse a message" says: the last line, `@host #code`.
private struct DomainBoundCode {
    let host: String
    let code: String

    init?(parsing message: String) {
        guard let line = message.split(separator: "\n", omittingEmptySubsequences: false).last, line.first == "@" else {
            return nil
        }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].count > 1, words[1].first == "#", words[1].count > 1 else { return nil }
        host = String(words[0].dropFirst())
        code = String(words[1].dropFirst())
    }
}

/// A message that Play services' SMS Retriever accepts: at most 140 bytes, with the app's hash and a code of 4 to 10
/// digits.
private struct RetrieverMessage {
    let code: String

    init?(parsing message: String, hash: String) {
        guard message.utf8.count <= 140, message.hasPrefix("<#>"),
            message.split(whereSeparator: \.isWhitespace).last.map(String.init) == hash,
            let match = message.firstMatch(of: /\b[0-9]{4,10}\b/)
        else { return nil }
        code = String(match.output)
    }
}
