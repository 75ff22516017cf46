/// The messages that the stack has sent to phones.
extension LatchkeyStack {
    /// A message in the inbox, as its JSON interface shows it.
    package struct Message: Decodable, Sendable {
        package let id: String
        package let channel: String
        package let to: String
        package let subject: String?
        package let text: String
        package let html: String?
        package let code: String?
        package let link: String?
    }

    /// The messages to a number or address, newest first; nil for those to anybody.
    package func messages(to recipient: String? = nil) async throws -> [Message] {
        let query = recipient.map { "?to=" + $0.replacing("+", with: "%2B") } ?? ""
        let answer = try await inbox.get("/api/messages" + query)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "GET /api/messages", answer) }
        return try answer.decoded()
    }

    /// The newest code that was sent to a number; waits for it.
    package func code(for phone: String) async throws -> String {
        var code: String?
        try await eventually("a code for \(phone) arrives") {
            code = try await messages(to: phone).lazy.compactMap(\.code).first
            return code != nil
        }
        return code ?? ""
    }
}
