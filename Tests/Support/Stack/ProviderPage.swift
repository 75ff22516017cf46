import ServiceCalls

/// The page of a provider that `latchkey-fakes` play, on which a person signs in.
package struct ProviderPage: Sendable {
    /// The request that the browser sends next: a GET to a URL with a query, or Apple's POST of a form.
    package struct Answer: Sendable {
        /// The URL, without its query.
        package let url: String
        /// The fields in `application/x-www-form-urlencoded`.
        package let form: String
        package let isForm: Bool

        /// The fields by their names, decoded.
        package var fields: [String: String] { ProviderPage.fields(form) }
    }

    private let fakes: TestHTTPClient
    private let request: String

    /// Opens the page at the `Location` of an answer of `authorize`.
    package init(_ location: String, at fakes: TestHTTPClient) async throws {
        self.fakes = fakes
        guard location.hasPrefix(fakes.base) else { throw UnexpectedLocation(location: location) }
        let page = try await fakes.get(String(location.dropFirst(fakes.base.count)))
        guard page.status == 200, let match = page.text.firstMatch(of: /name="request" value="([0-9a-f]+)"/) else {
            throw UnexpectedAnswer(to: "GET \(location)", page)
        }
        request = String(match.output.1)
    }

    /// Presses a button of the page: `continue`, or `cancel`.
    package func press(_ button: String, subject: String = "000123.fake", name: String = "") async throws -> Answer {
        let answer = try await fakes.send(
            "POST", "/fakes/sign-in", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("request=\(request)&action=\(button)&subject=\(subject)&name=\(name)".utf8))
        if let location = answer.headers["location"] {
            let parts = location.split(separator: "?", maxSplits: 1).map(String.init)
            return Answer(url: parts[0], form: parts.count > 1 ? parts[1] : "", isForm: false)
        }
        guard let action = answer.text.firstMatch(of: /action="([^"]+)"/) else {
            throw UnexpectedAnswer(to: "POST /fakes/sign-in", answer)
        }
        let inputs = answer.text.matches(of: /name="([^"]+)" value="([^"]*)"/).map { input in
            (String(input.output.1), String(input.output.2).replacing("&quot;", with: "\""))
        }
        return Answer(url: String(action.output.1), form: FormText.encode(inputs), isForm: true)
    }

    /// Returns the fields of a query or form by their names, decoded.
    package static func fields(_ form: String) -> [String: String] {
        Dictionary(FormText.decode(form, countMax: 32) ?? []) { first, _ in first }
    }

    /// The browser was sent to another place than the stand-in.
    package struct UnexpectedLocation: Error { let location: String }
}
