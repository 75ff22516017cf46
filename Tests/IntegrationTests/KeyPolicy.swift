import FoundationEssentials
import TestSupport

/// howru with test-sized times for keys, as a file beside the suite's other scratch.
enum KeyPolicy {
    /// A lead time of 11 s, and no refresh limit.
    static let short = write("short-keys", changing: ["jwksMaxAgeSeconds: 300": "jwksMaxAgeSeconds: 10"])
    /// No refresh limit, and nothing else changed.
    static let unlimited = write("unlimited", changing: [:])
    /// A sign-in does not take a scheduled deletion back.
    static let asking = write("asking", changing: ["onSignIn: restore": "onSignIn: ask"])
    /// Secrets from the file in place of keys from the database.
    static let secrets = write("secret-keys", changing: ["algorithm: RS256": "algorithm: HS256"])

    /// The path; a file that could not be written stops the stack, which names it.
    static func write(_ name: String, changing: [String: String]) -> String {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let path = folder + "latchkey-\(name)-\(UUID().uuidString).yaml"
        do {
            let text = try PolicyText.howru(changing: changing.merging(PolicyText.unlimitedRefreshes) { $1 })
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch { print("\(path): \(error)") }
        return path
    }
}
