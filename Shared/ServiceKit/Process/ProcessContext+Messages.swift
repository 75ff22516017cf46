package import Policies

extension ProcessContext {
    /// Reads the texts of messages and pages from the folder next to the policy, if the policy shows any.
    ///
    /// - Throws: `PolicyError` with everything that is wrong with the files.
    package func messageCatalog() throws(PolicyError) -> MessageCatalog {
        guard policy.showsTexts else { return .none }
        return try MessageCatalog.load(policy, directory: settings.policiesDirectory)
    }

    /// Reads `OTP_SENDER`. The list is empty if the policy sends no codes to phones, whatever the variable contains.
    ///
    /// - Throws: `SettingsError`.
    package func phoneSenders() throws -> [PhoneSenderName] { policy.sendsCodes ? try settings.phoneSenders() : [] }

    /// Reads `MAIL_SENDER`. Accounts with a password need a sender, since their links go by mail.
    package func mailSender() throws -> MailSenderName {
        let sender = try settings.mailSender()
        guard sender != .none || policy.passwords == nil else {
            throw SettingsError(
                "MAIL_SENDER",
                "none does not go with the policy's section passwords, whose links go by mail. Use resend, smtp, or outside "
                    + "production inbox.")
        }
        return sender
    }

    /// Returns the URL at which clients reach the deployment: `LATCHKEY_PUBLIC_URL` in place of the policy's `publicURL`, which
    /// in production must be the same. Returns `nil` if both are missing.
    ///
    /// - Throws: `SettingsError` if the value is not a URL, or must not be used in this environment.
    package func publicURL() throws(SettingsError) -> PublicURL? {
        let name = "LATCHKEY_PUBLIC_URL"
        guard let text = settings.variable(name) else { return policy.publicURL }
        guard let url = PublicURL(text) else {
            throw SettingsError.invalid(name, text, use: "a URL such as https://auth.example.com, without a query")
        }
        if let problem = url.problem(in: settings.environment) { throw SettingsError(name, problem) }
        if settings.environment == .production, let ours = policy.publicURL, ours != url {
            throw SettingsError(
                name, "\(url.text) is not the policy's publicURL, \(ours.text). Make both the same, or unset this one.")
        }
        return url
    }
}
