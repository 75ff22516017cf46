/// The senders of text messages by calling code, as `TWILIO_FROM` lists them: `+15550001111,44=ACME`.
///
/// An entry without a calling code is the sender for all other phone numbers. If a number begins with several of the
/// calling codes, the longest one decides.
package struct TwilioSenders: Sendable, Equatable {
    /// Why a list cannot be used.
    package struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        package let description: String
    }

    private static let countMax = 64
    private static let prefixLength = 1...7

    /// The sender for phone numbers without one of their own; `nil` if the list has none.
    package let standard: String?
    private let byPrefix: [String: String]

    package init(standard: String?) {
        self.standard = standard
        byPrefix = [:]
    }

    package init(parsing text: String) throws(Problem) {
        var (standard, byPrefix) = (String?.none, [String: String]())
        let entries = text.split(separator: ",", omittingEmptySubsequences: false)
        guard entries.count <= Self.countMax else { throw Problem(description: "at most \(Self.countMax) senders") }
        for entry in entries {
            let (prefix, sender) = try Self.entry(entry)
            guard let prefix else {
                guard standard == nil else { throw Problem(description: "two senders without a calling code") }
                standard = sender
                continue
            }
            guard byPrefix.updateValue(sender, forKey: prefix) == nil else {
                throw Problem(description: "two senders for \(prefix)")
            }
        }
        (self.standard, self.byPrefix) = (standard, byPrefix)
    }

    package var isEmpty: Bool { standard == nil && byPrefix.isEmpty }

    /// Returns the sender for the calling code of `number` (E.164), or `nil` if the list has none.
    package func own(for number: String) -> String? {
        let digits = number.drop { $0 == "+" }
        let prefixes = byPrefix.keys.filter { digits.hasPrefix($0) }
        return prefixes.max { $0.utf8.count < $1.utf8.count }.flatMap { byPrefix[$0] }
    }

    private static func entry(_ text: Substring) throws(Problem) -> (prefix: String?, sender: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        let sender = parts[parts.count - 1]
        guard isSender(sender) else {
            throw Problem(
                description:
                    "\"\(sender)\" is not a sender. Use +15005550006, a short code, or a name of at most 11 characters."
            )
        }
        guard parts.count > 1 else { return (nil, sender) }
        let prefix = parts[0].hasPrefix("+") ? String(parts[0].dropFirst()) : parts[0]
        guard isDigits(prefix), prefixLength.contains(prefix.utf8.count), !prefix.hasPrefix("0") else {
            throw Problem(description: "'\(parts[0])' is not a calling code: use such as 44=ACME")
        }
        return (prefix, sender)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(String(text.drop { $0 == " " }).reversed().drop { $0 == " " }.reversed())
    }

    private static func isDigits(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Whether the text is a phone number with its calling code.
    package static func isE164(_ text: String) -> Bool {
        text.hasPrefix("+") && (8...16).contains(text.utf8.count) && isDigits(String(text.dropFirst()))
    }

    /// Whether the text is a phone number, a short code, or a name that looks like neither.
    private static func isSender(_ text: String) -> Bool {
        if isE164(text) { return true }
        if isDigits(text) { return (3...8).contains(text.utf8.count) }
        return (1...11).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || " 0123456789".contains(Character($0)))
            }
    }
}
