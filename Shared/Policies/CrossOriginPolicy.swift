/// The web pages of other origins that may call the gateway (Fetch standard, CORS protocol). Mobile apps do not need it.
package struct CrossOriginPolicy: Sendable, Equatable {
    /// The origins as browsers write them: scheme, host, and port unless it is the scheme's default.
    package var origins: [String] = []
    /// Whether pages may send cookies along.
    package var credentials = false
    /// How long browsers may remember which requests are allowed.
    package var maxAgeSeconds: Int64 = 600
    /// The request fields that pages may set.
    package var allowHeaders = ["Authorization", "Content-Type", "Idempotency-Key", "Latchkey-Client"]
    /// The response fields that pages may read.
    package var exposeHeaders = ["Date", "Retry-After", "X-Request-Id"]

    package init() {}
}

extension CrossOriginPolicy {
    /// Section `cors`:
    /// - `origins` list of 1...32 origins such as https://admin.example.com, required; `*` is not allowed. Pages inside apps have
    ///   capacitor://localhost, ionic://localhost or https://localhost.
    /// - `credentials` true or false, default false
    /// - `maxAgeSeconds` integer, 0...86,400, default 600
    /// - `allowHeaders` list of 0...64 field names, default Authorization, Content-Type, Idempotency-Key,
    ///   Latchkey-Client
    /// - `exposeHeaders` list of 0...64 field names, default Date, Retry-After, X-Request-Id
    init(reading section: PolicySection) {
        section.requiredValues("origins", count: 1...32, .origin, into: &origins)
        section.flag("credentials", into: &credentials)
        section.integer("maxAgeSeconds", in: 0...86_400, into: &maxAgeSeconds)
        section.values("allowHeaders", count: 0...64, .fieldName, into: &allowHeaders)
        section.values("exposeHeaders", count: 0...64, .fieldName, into: &exposeHeaders)
    }
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
        TextRule("1 to 64 of A-Z a-z 0-9 -") { text in
            (1...64).contains(text.utf8.count)
                && text.utf8.allSatisfy { ($0.isASCIIWordByte && $0 != UInt8(ascii: "_")) || $0 == UInt8(ascii: "-") }
        }
    }
}
