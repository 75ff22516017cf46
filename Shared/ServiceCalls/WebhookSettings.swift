import Policies
package import ServiceKit

/// The settings of a hook by Standard Webhooks: the URL to which a process posts, and the secret that signs each request.
package struct WebhookSettings {
    private let settings: ProcessSettings
    private let urlName: String
    private let secretName: String
    /// The setting that switches the hook on, and what it posts: `OTP_SENDER=webhook` and `message`.
    private let (owner, content): (String, String)

    package init(_ settings: ProcessSettings, url: String, secret: String, owner: String, content: String) {
        self.settings = settings
        (urlName, secretName) = (url, secret)
        (self.owner, self.content) = (owner, content)
    }

    /// Reads the URL: https, and outside production http too. The operator sets it, so it may be a private address.
    package func url() throws(SettingsError) -> String {
        let schemes = settings.environment == .production ? ["https://"] : ["https://", "http://"]
        let use = "a URL that begins with \(schemes.joined(separator: " or "))"
        guard let url = settings.variable(urlName) else {
            throw SettingsError.missing(urlName, because: "\(owner) posts each \(content) to it", use: use)
        }
        guard schemes.contains(where: { url.hasPrefix($0) && url.utf8.count > $0.utf8.count }) else {
            throw SettingsError.invalid(urlName, url, use: use)
        }
        return url
    }

    /// Reads the secret: `v1,whsec_<base64>`, several separated by `|`.
    package func signature() throws -> WebhookSignature {
        guard let secret = try settings.secrets.password(secretName) else {
            throw SettingsError.missing(
                "secret \(secretName)", because: "\(owner) signs each \(content) with it",
                use: "a file of that name with v1,whsec_ and 24 to 64 random bytes in Base64")
        }
        do throws(WebhookSignature.Problem) { return try WebhookSignature(secrets: secret.value) } catch {
            throw SettingsError("secret \(secretName)", error.description)
        }
    }
}
