/// The web pages of other origins that may call the gateway (Fetch standard, CORS protocol). Mobile apps do not need it.
package struct CrossOriginPolicy: Sendable, Equatable {
    package var origins: [String] = []
    package var credentials = false
    package var maxAgeSeconds: Int64 = 600
    package var allowHeaders = [
        "Authorization", "Content-Type", "Idempotency-Key", "Latchkey-Client", "X-Device-Fingerprint",
    ]
    package var exposeHeaders = ["Date", "Retry-After", "X-Request-Id"]

    package init() {}
}

extension CrossOriginPolicy {
    static let keys: [Key<Self>] = [
        Key(
            "origins", \.origins, .values(1...32, .origin),
            "The pages' origins, exactly as browsers write them, without `*`. Pages inside apps have "
                + "capacitor://localhost, ionic://localhost or https://localhost.",
            required: true, example: "[\"https://admin.example.com\"]"),
        Key("credentials", \.credentials, .flag, "Whether browsers send cookies."),
        Key(
            "maxAgeSeconds", \.maxAgeSeconds, .integer(0...86_400),
            "How long browsers may remember which requests are allowed."),
        Key(
            "allowHeaders", \.allowHeaders, .values(0...64, .fieldName), "The request fields that pages may set."),
        Key(
            "exposeHeaders", \.exposeHeaders, .values(0...64, .fieldName), "The response fields that pages may read."),
    ]
}

extension ValueRule where Value == String {
    /// The origins of pages that an app contains. Their sessions use bearer tokens, since no cookie reaches the API from there.
    private static var appOrigins: [String] { ["capacitor://localhost", "ionic://localhost"] }

    fileprivate static var origin: TextRule {
        TextRule("an origin such as https://admin.example.com, in lower case, without a path") { text in
            appOrigins.contains(text) || isWebOrigin(text)
        }
    }

    /// The origin of a page whose session is in cookies.
    static var cookieOrigin: TextRule {
        TextRule("an origin such as https://app.example.com, in lower case, without a path; http only for loopback") {
            text in
            isWebOrigin(text) && (text.hasPrefix("https://") || PublicURL(text)?.isLoopback == true)
        }
    }

    private static func isWebOrigin(_ text: String) -> Bool {
        let host = ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.utf8.count) }
        guard let host, (1...255).contains(host.utf8.count) else { return false }
        return host.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-:[]".utf8.contains(byte)
        }
    }

    fileprivate static var fieldName: TextRule {
        .ascii(1...64, of: "A-Za-z0-9-", "1 to 64 of A-Z a-z 0-9 -")
    }
}
