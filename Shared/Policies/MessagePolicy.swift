/// The contents of messages to people in addition to their text, and the channels that they use.
package struct MessagePolicy: Sendable, Equatable {
    package var appDomain: String?
    package var appName = "Latchkey"
    package var locale = "en"
    package var timeZone = "UTC"
    package var texts = "messages"
    package var channels: [PhoneChannel] = [.sms]
    package var fallback: [PhoneChannel] = []
    package var smsLocales: [String] = []

    package init() {}
}

extension MessagePolicy {
    static let keys: [Key<Self>] = [
        Key(
            "appDomain", optional: \.appDomain, .text(.domain),
            "The domain that a code is bound to, by a last line `@DOMAIN #CODE`, so that iOS fills in the code.",
            example: "example.com"),
        Key(
            "appName", \.appName, .text(.appName),
            "The app's name in messages and on pages; a policy without it has that of LATCHKEY_APP_NAME."),
        Key("locale", \.locale, .text(.languageTag), "The language of clients whose languages have no texts."),
        Key(
            "texts", \.texts, .text(.name),
            "The folder of the languages' texts, next to the policy or, if there is none, in the policies folder."),
        Key("timeZone", \.timeZone, .text(.timeZone), "The time zone in which mails and pages state times."),
        Key(
            "smsLocales", \.smsLocales, .values(0...64, .languageTag),
            "Further languages of text messages, if the client sends one as `locale`; `otp.message` serves all others. "
                + "Each text has to fit one message.",
            example: "[de, ar]"),
        Key(
            "channels", \.channels, .values(1...3, .choice),
            "What a client may request as `channel`. One that no sender of OTP_SENDER supports is left out, with a "
                + "warning at the start (docs/run/delivery.md)."),
        Key(
            "fallback", \.fallback, .values(0...3, .choice),
            "The channels that are tried in order if the requested one fails."),
    ]

    func check(_ section: PolicySection) {
        for (key, list) in [("channels", channels), ("fallback", fallback)] where Set(list).count != list.count {
            section.refuse(key, "contains a channel twice. Name each once.")
        }
    }
}

extension ValueRule where Value == PhoneChannel {
    fileprivate static var phoneChannel: ValueRule<PhoneChannel> {
        ValueRule("one of sms, call, whatsapp") { PhoneChannel(rawValue: $0) }
    }
}

extension ValueRule where Value == String {
    static var appName: TextRule {
        TextRule("1 to 64 characters on one line") { text in
            (1...64).contains(text.unicodeScalars.count)
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    fileprivate static var timeZone: TextRule {
        TextRule("the name of a time zone, such as Europe/Berlin") { LocalTimeZone.isName($0) }
    }

    fileprivate static var languageTag: TextRule {
        TextRule("a language tag in lower case, such as en or pt-br") { text in
            (2...35).contains(text.utf8.count)
                && text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
                    (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isASCIIWordByte && $0 != 0x5F }
                } && text == text.lowercased()
        }
    }
}
