import Configuration

extension ProcessSettings {
    /// Base URLs of another process, one for each replica, from a comma-separated setting such as `OTP_URL`.
    ///
    /// - Parameter key: e.g. `otp.url`.
    package func serviceURLs(_ key: String, default fallback: String) throws -> [String] {
        let text = reader.string(forKey: ConfigKey(key), default: fallback)
        let urls = text.split(separator: ",").map { url in
            var trimmed = url.trimmingPrefix(while: { $0 == " " })
            while trimmed.last == "/" || trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
        let schemes = ["http://", "https://"]
        guard !urls.isEmpty, urls.allSatisfy({ url in schemes.contains { url.hasPrefix($0) } }) else {
            let variable = key.uppercased().replacing(".", with: "_")
            throw SettingsError(variable, "'\(text)' is not a comma-separated list of http:// addresses")
        }
        return urls
    }
}
