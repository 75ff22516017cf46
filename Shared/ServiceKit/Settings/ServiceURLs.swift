package import Policies
import SettingNames

extension ProcessSettings {
    /// Returns the base URL of a provider's interface. It must be https in production; outside production http is allowed too.
    package func providerURL(_ name: String) throws(SettingsError) -> PublicURL {
        let text = text(name) ?? ""
        let mayBePlain = environment != .production
        guard let url = PublicURL(text), text.hasPrefix("https://") || mayBePlain else {
            throw SettingsError.invalid(
                name, text, use: "a URL that begins with https://" + (mayBePlain ? " or http://" : ""))
        }
        return url
    }

    /// Returns the base URLs of another process, one for each replica, from a comma-separated setting such as `OTP_URL`.
    package func serviceURLs(_ name: String) throws(SettingsError) -> [String] {
        let text = text(name) ?? ""
        let urls = text.split(separator: ",").map { url in
            var trimmed = url.trimmingPrefix(while: { $0 == " " })
            while trimmed.last == "/" || trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
        let schemes = ["http://", "https://"]
        guard !urls.isEmpty, urls.allSatisfy({ url in schemes.contains { url.hasPrefix($0) } }) else {
            let example = Settings.all[name].standard ?? ""
            throw SettingsError.invalid(
                name, text, use: "URLs such as \(example), several replicas separated by commas")
        }
        return urls
    }
}
