/// The contents of messages to people in addition to their text, and the channels that they use.
package struct MessagePolicy: Sendable, Equatable {
    /// The domain that a code is bound to (`@domain #code` as a message's last line); `nil` if there is no such line.
    package var appDomain: String?
    /// The app's name in messages and on pages.
    package var appName = "Latchkey"
    /// The language of clients that request no language with texts.
    package var locale = "en"
    /// The time zone in which mails and pages state times, by its name in the IANA database.
    package var timeZone = "UTC"
    /// The folder of the languages' texts, next to the policy.
    package var texts = "messages"
    /// The channels that a client may request.
    package var channels: [PhoneChannel] = [.sms]
    /// The channels that are tried automatically, in order, if the requested one fails.
    package var fallback: [PhoneChannel] = []
    /// The languages that text messages have; in all others `otp.message` is the text.
    package var smsLocales: [String] = []

    package init() {}
}

extension MessagePolicy {
    /// Section `messages`:
    /// - `appDomain` domain name in lower case, default none
    /// - `appName` 1 to 64 characters on one line, default `LATCHKEY_APP_NAME`, else Latchkey
    /// - `locale` language tag in lower case such as en or pt-br, default en
    /// - `texts` name of a folder next to the policy, default messages
    /// - `timeZone` name in the IANA database such as Europe/Berlin, default UTC
    /// - `channels` list of 1...3 of sms, call, whatsapp, each once, default sms
    /// - `fallback` list of 0...3 of the same, default none
    /// - `smsLocales` list of 0...64 language tags whose files have `sms`, default empty
    ///
    /// - Parameter base: The values of missing keys.
    init(reading section: PolicySection, over base: MessagePolicy) {
        self = base
        section.text("appDomain", .domain, into: &appDomain)
        section.text("appName", .appName, into: &appName)
        section.text("locale", .languageTag, into: &locale)
        section.text("texts", .name, into: &texts)
        section.text("timeZone", .timeZone, into: &timeZone)
        section.values("smsLocales", count: 0...64, .languageTag, into: &smsLocales)
        section.values("channels", count: 1...3, .phoneChannel, into: &channels)
        section.values("fallback", count: 0...3, .phoneChannel, into: &fallback)
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
        TextRule("the name of a time zone, such as Europe/Berlin", where: LocalTimeZone.isName)
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
