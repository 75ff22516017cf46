import HTTPTypes
import Hummingbird
import Policies
import ServiceCalls
import ServiceHTTP

/// A request of a browser, as the gateway has passed it on.
struct Visit: Sendable {
    static let formBytesMax = 16 * 1024
    private static let fieldsMax = 24
    /// The field of a query that states that the console itself has led here.
    private static let returnMark = "own"

    let isPost: Bool
    /// The segments of the path below the console's.
    let path: [String]
    let query: [String: String]
    let form: [String: String]
    let browser: Browser
    /// The value of the session's cookie; `nil` if there is none, or more than one.
    let cookie: String?
    let session: AdminSession?
    /// The path and query, if a link of another site has led here, so that browsers have kept the cookie back; `nil` otherwise.
    let foreignTarget: String?

    var words: Words { Words(language: browser.language) }

    /// Reads a request, or returns `nil` if it did not come through the gateway, or is not a form.
    ///
    /// - Parameter cookieName: returns the name of the cookie, from whether the browser's connection is over https.
    init?(_ request: Request, cookieName: (Bool) -> String, sessions: AdminSessions) async {
        func field(_ name: String) -> String? {
            guard let name = HTTPField.Name(name) else { return nil }
            let values = request.headers[values: name]
            return values.count == 1 ? values.first : nil
        }
        guard let ticket = field("Latchkey-Console") else { return nil }
        let isSecure = field("X-Forwarded-Proto") == "https"
        browser = Browser(
            ticket: ticket, language: Language(accepted: field("Accept-Language") ?? ""), isSecure: isSecure)
        isPost = request.method == .post
        let segments = request.uri.path.split(separator: "/").dropFirst().map { FormText.unescaped($0.utf8) }
        path = segments.compactMap(\.self)
        guard path.count == segments.count, let query = Self.fields(request.uri.query ?? "") else { return nil }
        self.query = query
        guard let form = isPost ? await Self.form(request) : [:] else { return nil }
        self.form = form
        let isForeign = field("Sec-Fetch-Site") == "cross-site" && query[Self.returnMark] == nil
        foreignTarget = isForeign && !isPost ? request.uri.string : nil
        cookie = Self.cookie(cookieName(isSecure), in: request.headers[values: .cookie])
        session = cookie.flatMap { sessions.find($0) }
    }

    /// Where a page of ours leads on, with the cookie.
    var ownTarget: String? {
        foreignTarget.map { $0 + ($0.contains("?") ? "&" : "?") + Self.returnMark + "=1" }
    }

    private static func form(_ request: Request) async -> [String: String]? {
        guard request.headers[.contentType]?.lowercased().hasPrefix(FormText.mediaType) == true else { return nil }
        do {
            let body = try await request.body.collect(upTo: formBytesMax)
            return fields(String(buffer: body))
        } catch { return nil }
    }

    /// Decodes fields, or returns `nil` if they have two readings.
    private static func fields(_ text: String) -> [String: String]? {
        guard let fields = FormText.decode(text, countMax: fieldsMax), Set(fields.map(\.0)).count == fields.count else {
            return nil
        }
        return Dictionary(fields.map { ($0.0, $0.1) }) { first, _ in first }
    }

    private static func cookie(_ name: String, in fields: [String]) -> String? {
        let pairs = fields.joined(separator: ";").split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
        let values = pairs.filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        return values.count == 1 ? values.first : nil
    }
}
