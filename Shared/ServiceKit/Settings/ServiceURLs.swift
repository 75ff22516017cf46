import Configuration
package import Policies

extension ProcessSettings {
    /// Returns the base URL of a provider's interface. It must be https in production; outside production http is allowed too.
    package func providerURL(_ name: String, default fallback: String) throws(SettingsError) -> PublicURL {
        let text = variable(name) ?? fallback
        let mayBePlain = environment != .production
        guard let url = PublicURL(text), text.hasPrefix("https://") || mayBePlain else {
            throw SettingsError.invalid(
                name, text, use: "a URL that begins with https://" + (mayBePlain ? " or http://" : ""))
        }
        return url
    }

    /// Returns the base URLs of another process, one for each replica, from a comma-separated setting such as `OTP_URL`.
    ///
    /// - Parameter key: The key, e.g. `otp.url`.
    package func serviceURLs(_ key: String, default fallback: String) throws(SettingsError) -> [String] {
        let text = text(ConfigKey(key)) ?? fallback
        let urls = text.split(separator: ",").map { url in
            var trimmed = url.trimmingPrefix(while: { $0 == " " })
            while trimmed.last == "/" || trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
        let schemes = ["http://", "https://"]
        guard !urls.isEmpty, urls.allSatisfy({ url in schemes.contains { url.hasPrefix($0) } }) else {
            let variable = key.uppercased().replacing(".", with: "_")
            throw SettingsError.invalid(
                variable, text, use: "URLs such as \(fallback), several replicas separated by commas")
        }
        return urls
    }
}
