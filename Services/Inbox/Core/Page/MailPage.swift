/// A mail's HTML, served for the frame in which the inbox shows it.
enum MailPage {
    /// The permissions of the frame: a link may open a tab of its own, which is free of the frame's restrictions.
    static let sandbox = "allow-popups allow-popups-to-escape-sandbox"

    /// The policy of a mail's page: no script, nothing loaded from elsewhere, and no frame but the inbox's own.
    static let contentSecurityPolicy =
        "sandbox \(sandbox); default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'self'"

    /// Returns the mail with links that open in a new tab. Inside the frame the inbox's policy would block their pages.
    static func html(_ mail: String) -> String {
        let base = #"<base target="_blank">"#
        guard mail.contains("<head>") else { return base + mail }
        return mail.replacing("<head>", with: "<head>" + base, maxReplacements: 1)
    }
}
