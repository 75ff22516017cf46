internal import Configuration

extension ProcessSettings {
    /// Base URLs of another process, one for each replica, from a comma-separated setting such as `OTP_URL`.
    ///
    /// - Parameters:
    ///   - key: e.g. `otp.url`.
    ///   - socketFiles: whether `unix:///path` will do as well.
    package func serviceURLs(
        _ key: String, default fallback: String, socketFiles: Bool = false
    ) throws -> [String] {
        let text = reader.string(forKey: ConfigKey(key), default: fallback)
        let urls = text.split(separator: ",").map { url in
            var trimmed = url.trimmingPrefix(while: { $0 == " " })
            while trimmed.last == "/" || trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
        let schemes = ["http://", "https://"] + (socketFiles ? ["unix:///"] : [])
        guard !urls.isEmpty, urls.allSatisfy({ url in schemes.contains { url.hasPrefix($0) } }) else {
            let variable = key.uppercased().replacing(".", with: "_")
            throw SettingsError(
                variable,
                "'\(text)' is not a comma-separated list of http://\(socketFiles ? " or unix:///" : "") addresses")
        }
        return urls
    }
}
