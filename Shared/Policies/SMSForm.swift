/// The additions to the sentence of a text message that let a phone fill in the code automatically (integration guide 4).
package enum SMSForm: Sendable, Equatable {
    case plain
    /// iOS, Safari, WebOTP: the last line binds the code to a domain (WICG sms-one-time-codes).
    case domain(String)
    /// Android's SMS Retriever: the app with this hash gets the message.
    case android(hash: String)

    /// The longest message of the SMS Retriever, in bytes.
    private static let androidBytesMax = 140

    /// Builds the whole message.
    ///
    /// - Parameter sentence: A sentence that contains the code.
    package func text(_ sentence: String, code: String) -> String {
        switch self {
        case .plain: sentence
        case .domain(let domain): "\(sentence)\n\n@\(domain) #\(code)"
        case .android(let hash): "<#> \(sentence)\n\(hash)"
        }
    }

    /// The problem with the message of a sentence; `nil` if it fits in one segment.
    func problem(_ sentence: String, code: String) -> String? {
        let text = text(sentence, code: code)
        guard SMSSegment(text).isOne else {
            return "makes more than one text message\(note) (160 characters of GSM 7-bit, 70 with any other)"
        }
        if case .android = self, text.utf8.count > Self.androidBytesMax {
            return "makes \(text.utf8.count) bytes\(note); Android's SMS Retriever reads \(Self.androidBytesMax)"
        }
        return nil
    }

    private var note: String {
        switch self {
        case .plain: ""
        case .domain: " with the line of messages.appDomain"
        case .android: " with an apps.android[].smsHash"
        }
    }
}

/// The sentences of text messages, by language, and the values that messages need in addition to them.
package struct SMSTexts: Sendable {
    /// The parts of a sentence around `{code}`, which represents the code.
    package typealias Sentence = [String]

    private let fallback: Sentence
    private let byLocale: [String: Sentence]
    private let domain: String?
    private let hashes: Set<String>

    /// - Parameters:
    ///   - policy: The policy, for its `messages` and `apps`.
    ///   - otp: The dialect's rules, whose `message` applies to all languages without a text of their own.
    ///   - catalog: The catalog with the texts of `messages.smsLocales`.
    package init(_ policy: Policy, otp: OTPPolicy, catalog: MessageCatalog) {
        self.init(
            otp: otp, domain: policy.messages.appDomain, hashes: Set(policy.apps.android.compactMap(\.smsHash)),
            byLocale: catalog.smsSentences(of: policy.messages))
    }

    /// Creates the texts of codes for a purpose other than sign-in, or returns `nil` if there are none.
    ///
    /// - Parameter texts: Returns the purpose's texts in a language, or `nil` if it has none there.
    package init?(
        _ texts: (MessageTexts) -> CodeTexts?, of policy: Policy, otp: OTPPolicy, catalog: MessageCatalog
    ) {
        let sentences = catalog.sentences(texts, of: policy.messages)
        guard let fallback = sentences[catalog.fallback] else { return nil }
        var worded = otp
        worded.messageTemplate = fallback
        self.init(otp: worded, domain: policy.messages.appDomain, byLocale: sentences)
    }

    package init(
        otp: OTPPolicy, domain: String? = nil, hashes: Set<String> = [], byLocale: [String: String] = [:]
    ) {
        fallback = otp.messageParts
        self.byLocale = byLocale.mapValues { OTPPolicy.parts(of: $0) }
        self.domain = domain
        self.hashes = hashes
    }

    /// Whether an app of the policy has this hash. The hash comes from the client, and becomes part of a message.
    package func knows(hash: String) -> Bool { hashes.contains(hash) }

    /// Builds the message with `code`.
    ///
    /// - Parameters:
    ///   - wanted: A language tag (RFC 5646); used in whole, or by its primary part.
    ///   - appHash: A hash of one of the policy's apps, for Android's form.
    package func message(code: String, wanted: String?, appHash: String?) -> String {
        let sentence = plainMessage(code: code, wanted: wanted)
        let form: SMSForm = appHash.map { .android(hash: $0) } ?? domain.map { .domain($0) } ?? .plain
        return form.text(sentence, code: code)
    }

    /// Builds only the sentence with `code`: a call must not read out the line that fills in the code of a text message.
    package func plainMessage(code: String, wanted: String?) -> String {
        (locale(for: wanted).flatMap { byLocale[$0] } ?? fallback).joined(separator: code)
    }

    /// The language with its own text for a client that requests `wanted`; `nil` if the common text applies.
    package func locale(for wanted: String?) -> String? {
        guard let wanted, !byLocale.isEmpty else { return nil }
        let tag = wanted.lowercased().replacing("_", with: "-")
        return [tag, String(tag.prefix { $0 != "-" })].first { byLocale[$0] != nil }
    }
}

extension Policy {
    /// The problem with a sentence of text messages in any form that messages may have; `nil` if there is none.
    static func problem(
        ofSMS sentence: String, codeLengths: Set<Int>, _ messages: MessagePolicy, _ apps: AppsPolicy
    ) -> String? {
        let forms: [SMSForm] =
            [.plain] + (messages.appDomain.map { [.domain($0)] } ?? [])
            + apps.android.compactMap(\.smsHash).prefix(1).map { .android(hash: $0) }
        let code = String(repeating: "0", count: codeLengths.max() ?? 0)
        let text = OTPPolicy.parts(of: sentence).joined(separator: code)
        return forms.lazy.compactMap { $0.problem(text, code: code) }.first
    }
}
