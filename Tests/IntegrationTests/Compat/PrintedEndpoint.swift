import FoundationEssentials
import TestSupport

/// A request with its answers, as HowRU's document prints them.
struct PrintedEndpoint: Sendable {
    struct NotPrinted: Error { let what: String }

    /// The members that differ from user to user.
    private static let varying: Set<String> = [
        "id", "phoneNumber", "name", "isChecker", "isNewUser", "accessToken", "refreshToken", "retryAfter",
    ]
    /// The members that our user object and our refusals have in addition to the document's.
    private static let additions: Set<String> = ["role", "createdAt", "email", "code", "limit"]

    let method: String
    let path: String
    let body: String?
    /// Answers by status.
    private let answers: [Int: String]

    /// The endpoint under this heading.
    init(_ heading: String) throws {
        let file = LatchkeyStack.root + "Tests/Compat/howru/endpoints.md"
        let page = "\n" + (try String(contentsOfFile: file, encoding: .utf8))
        guard let section = page.split(separator: "\n### ").first(where: { $0.hasPrefix(heading + "\n") }),
            let block = section.split(separator: "```").dropFirst().first
        else { throw NotPrinted(what: heading) }
        let parts = block.split(separator: "\n\n").map { $0.drop(while: \.isNewline) }
        let line = (parts.first ?? "").split(whereSeparator: \.isWhitespace)
        guard line.count == 2 else { throw NotPrinted(what: "method and path of \(heading)") }
        (method, path) = (String(line[0]), String(line[1]))
        body = parts.first { $0.hasPrefix("Request:") }.map(Self.json)
        answers = parts.reduce(into: [:]) { answers, part in
            guard part.hasPrefix("Response ("), let status = Int(part.dropFirst(10).prefix(3)) else { return }
            answers[status] = Self.json(part)
        }
    }

    func answer(_ status: Int) throws -> AnswerShape {
        guard let text = answers[status] else { throw NotPrinted(what: "\(method) \(path): \(status)") }
        return AnswerShape(status: status, body: text, varying: Self.varying, additions: Self.additions)
    }

    /// Sends the printed body with other texts in place of what stands for them there.
    func send(
        _ replacing: [String: String] = [:], bearer: String? = nil, to gateway: TestHTTPClient
    ) async throws
        -> HTTPAnswer
    {
        var headers = bearer.map { [("Authorization", "Bearer \($0)")] } ?? []
        guard var text = body else { return try await gateway.send(method, path, headers: headers) }
        for (printed, ours) in replacing {
            guard text.contains(printed) else { throw NotPrinted(what: printed) }
            text = text.replacing(printed, with: ours)
        }
        headers.append(("Content-Type", "application/json"))
        return try await gateway.send(method, path, headers: headers, body: Array(text.utf8))
    }

    /// Returns the JSON after the part's heading, without the remark `// Rotated`.
    private static func json(_ part: Substring) -> String {
        part.split(separator: "\n").dropFirst().map { line in
            line.firstRange(of: "  // ").map { String(line[..<$0.lowerBound]) } ?? String(line)
        }.joined(separator: "\n")
    }
}
