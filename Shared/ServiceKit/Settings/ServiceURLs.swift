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
}

/// The addresses at which processes reach each other.
package enum InternalURLs {
    /// The variable with the authorities that https addresses are verified against.
    package static let authoritiesSetting = "LATCHKEY_INTERNAL_CA"
}

extension VariableSource {
    /// Returns the base URLs of another process, one for each replica, from a comma-separated setting such as `OTP_URL`.
    ///
    /// Without authorities for it an https URL is refused: any that the system trusts could vouch for another server.
    ///
    /// - Parameter given: The text that takes the place of the setting's.
    package func serviceURLs(_ name: String, given: String? = nil) throws(SettingsError) -> [String] {
        let text = given ?? text(name) ?? ""
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
        guard variable(InternalURLs.authoritiesSetting) != nil || !urls.contains(where: { $0.hasPrefix("https://") })
        else {
            throw SettingsError.missing(
                InternalURLs.authoritiesSetting, because: "\(name) contains an https address",
                use: "the file of the authorities that certify Latchkey's processes (latchkeyctl internal-ca makes one)"
            )
        }
        return urls
    }
}
