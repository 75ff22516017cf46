/// The body of `POST /emails`, with the members that Latchkey sends.
struct ResendBody: Decodable, Sendable {
    private static let recipientCountMax = 50

    let from: String
    let to: [String]
    let subject: String
    let text: String?
    let html: String?

    private enum Key: String, CodingKey { case from, to, subject, text, html }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        from = try container.decodeIfPresent(String.self, forKey: .from) ?? ""
        subject = try container.decodeIfPresent(String.self, forKey: .subject) ?? ""
        text = try container.decodeIfPresent(String.self, forKey: .text)
        html = try container.decodeIfPresent(String.self, forKey: .html)
        // The member is one address, or a list of them.
        do { to = try container.decode([String].self, forKey: .to) } catch {
            to = try container.decodeIfPresent(String.self, forKey: .to).map { [$0] } ?? []
        }
    }

    func check() throws(ResendError) {
        for (name, isMissing) in [("from", from.isEmpty), ("to", to.isEmpty), ("subject", subject.isEmpty)]
        where isMissing {
            throw ResendError(status: 422, name: "missing_required_field", message: "Missing `\(name)` field.")
        }
        guard text != nil || html != nil else {
            throw ResendError(
                status: 422, name: "missing_required_field", message: "Missing `html` or `text` field.")
        }
        guard to.count <= Self.recipientCountMax, to.allSatisfy(Self.isAddress) else {
            throw .invalid("Invalid `to` field.")
        }
        guard Self.isAddress(from) else {
            throw ResendError(status: 422, name: "invalid_from_address", message: "Invalid `from` field.")
        }
    }

    func mail(id: String, at now: Int64) -> MailStore.Mail {
        MailStore.Mail(
            id: id, provider: "resend", from: from, to: to, subject: subject, text: text, html: html, source: nil,
            createdAt: now)
    }

    /// Whether a text is `address` or `Name <address>`.
    private static func isAddress(_ text: String) -> Bool {
        let address = text.hasSuffix(">") ? String(text.split(separator: "<").last?.dropLast() ?? "") : text
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(" ") } && parts[1].contains(".")
    }
}
