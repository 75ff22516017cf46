import Foundation
import ServiceCalls
import TestSupport
import Testing

/// A browser at the console: it keeps the cookie, and submits forms with what the last page put into them.
final class ConsoleVisitor {
    let gateway: TestHTTPClient
    private(set) var cookie: String?
    private(set) var page = ""
    /// Header lines in addition to the usual ones.
    var headers: [(String, String)] = []

    init(_ gateway: TestHTTPClient) { self.gateway = gateway }

    @discardableResult
    func open(_ path: String) async throws -> HTTPAnswer { try await send("GET", path, nil) }

    /// Submits a form of the last page, and follows the redirect that comes of it.
    @discardableResult
    func submit(_ path: String, _ fields: [String: String] = [:]) async throws -> HTTPAnswer {
        let answer = try await submitOnly(path, fields)
        guard answer.status == 303, let location = answer.headers["location"] else { return answer }
        return try await open(location)
    }

    func submitOnly(_ path: String, _ fields: [String: String] = [:]) async throws -> HTTPAnswer {
        var all = fields
        for name in ["guard", "version"] where all[name] == nil { all[name] = hidden(name) }
        return try await send("POST", path, FormText.encode(all.map { ($0.key, $0.value) }))
    }

    /// The value of a hidden field of the last page.
    func hidden(_ name: String) -> String? {
        guard let start = page.firstRange(of: "name=\"\(name)\" value=\"")?.upperBound else { return nil }
        return String(page[start...].prefix { $0 != "\"" })
    }

    /// Signs in by the forms.
    func signIn(_ phone: String, _ stack: LatchkeyStack) async throws {
        try await open("/console/sign-in")
        #expect(try await submit("/console/sign-in", ["to": phone]).text.contains("one-time-code"))
        let code = try await stack.code(for: phone)
        let answer = try await submit("/console/sign-in/code", ["to": phone, "code": code])
        #expect(answer.status == 200 && answer.text.contains("<nav"), "\(answer.status) \(answer.text)")
    }

    private func send(_ method: String, _ path: String, _ form: String?) async throws -> HTTPAnswer {
        var fields = headers + [("Sec-Fetch-Site", "same-origin")]
        if let cookie { fields.append(("Cookie", cookie)) }
        if form != nil {
            fields += [("Content-Type", FormText.mediaType), ("Origin", gateway.base)]
        }
        let answer = try await patiently { [fields] in
            try await gateway.send(method, path, headers: fields, body: form.map { Array($0.utf8) })
        }
        for set in answer.cookies where set.contains("latchkey-console=") {
            let pair = String(set.prefix { $0 != ";" })
            cookie = pair.hasSuffix("=") ? nil : pair
        }
        if answer.status != 303 { page = answer.text }
        return answer
    }
}
