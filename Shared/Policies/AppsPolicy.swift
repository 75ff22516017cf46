/// The apps that Latchkey's links may open and that may store its passwords, and the look of its pages and mails to match them.
package struct AppsPolicy: Sendable, Equatable {
    /// An app for Android, by its package and the certificates that it is signed with.
    package struct Android: Sendable, Equatable {
        package var package = ""
        /// The SHA-256 of each certificate in hex, two digits a byte, separated by colons.
        package var fingerprints: [String] = []
        package var smsHash: String?
    }

    private static let countMax = 16

    /// The app ids of team and bundle, e.g. `ABCDE12345.com.example.app`.
    package var ios: [String] = []
    package var android: [Android] = []
    package var scheme: String?
    package var accent = AccentColor.standard
    package var logo: String?

    package init() {}
}

extension AppsPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "ios", \.ios, .values(0...countMax, .appleAppID), "The apps for iOS, each as team id and bundle id.",
            example: "[ABCDE12345.com.example.app]"),
        Key(
            "android", \.android, .list(0...countMax, .section(Android(), Android.keys) { $1.check($0) }),
            "The apps for Android."),
        Key(
            "scheme", optional: \.scheme, .text(.scheme),
            "The URL scheme of the app: the page of a link also offers `SCHEME://magic-link?token=…`.",
            example: "example"),
        Key("accent", \.accent, .text(.accent), "The color of the main button on pages and in mails."),
        Key(
            "logo", optional: \.logo, .text(.logo),
            "The app's logo on pages, an SVG or PNG file of at most 32 KiB next to the policy.", example: "example.svg"),
    ]
}

extension AppsPolicy.Android {
    static let keys: [Key<Self>] = [
        Key("package", \.package, .text(.androidPackage), "", required: true, example: "com.example.app"),
        Key(
            "sha256", \.fingerprints, .values(1...8, .fingerprint),
            "The SHA-256 fingerprints of the certificates that sign the app.",
            example: "[\"\(Array(repeating: "AA", count: 32).joined(separator: ":"))\"]"),
        Key(
            "smsHash", optional: \.smsHash, .text(.smsHash),
            "The hash by which the app's SMS Retriever recognises messages, so that it fills in codes.",
            example: "FA+9qCX9VSu"),
    ]

    func check(_ section: PolicySection) {
        guard fingerprints.isEmpty else { return }
        section.refuse("sha256", "is missing. Add the SHA-256 fingerprints of the certificates that sign the app.")
    }
}

extension ValueRule where Value == AccentColor {
    fileprivate static var accent: ValueRule<AccentColor> {
        ValueRule("a color such as #1a56db, in quotation marks", text: \.css) { AccentColor(hex: $0) }
    }
}

extension ValueRule where Value == String {
    fileprivate static var logo: TextRule {
        TextRule("the name of a file that ends in .svg or .png, 1 to 64 of A-Z a-z 0-9 _ - .") { text in
            (5...64).contains(text.utf8.count) && LogoImage.mediaType(ofFile: text) != nil && text.first != "."
                && text.utf8.allSatisfy { $0.isASCIIWordByte || $0 == 0x2D || $0 == 0x2E }
        }
    }

    fileprivate static var appleAppID: TextRule {
        TextRule("a team id of 10 capital letters and digits, a dot and a bundle id") { text in
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].utf8.count == 10
                && parts[0].utf8.allSatisfy { $0.isASCIIWordByte && !($0 >= 0x61 && $0 <= 0x7A) && $0 != 0x5F }
                && (1...155).contains(parts[1].utf8.count)
                && parts[1].utf8.allSatisfy { $0.isASCIIWordByte && $0 != 0x5F || $0 == 0x2D || $0 == 0x2E }
        }
    }

    fileprivate static var androidPackage: TextRule {
        TextRule("a package name such as com.example.app") { text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count >= 2 && text.utf8.count <= 255
                && parts.allSatisfy { part in
                    part.first.map { $0.isASCII && $0.isLetter } ?? false && part.utf8.allSatisfy(\.isASCIIWordByte)
                }
        }
    }

    fileprivate static var fingerprint: TextRule {
        TextRule("32 bytes as AA:BB:…, in capital letters") { text in
            let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
            return bytes.count == 32
                && bytes.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { "0123456789ABCDEF".contains($0) } }
        }
    }

    fileprivate static var smsHash: TextRule {
        .ascii(11...11, of: "A-Za-z0-9+/", "the 11 characters of A-Z a-z 0-9 + / that the SMS Retriever's hash has")
    }

    fileprivate static var scheme: TextRule {
        TextRule("a URL scheme in lower case that is the app's own") { text in
            let taken: Set = [
                "http", "https", "javascript", "data", "file", "blob", "about", "mailto", "tel", "sms", "ws",
            ]
            return (2...64).contains(text.utf8.count) && !taken.contains(text)
                && text.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
                && text.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
                }
        }
    }
}
