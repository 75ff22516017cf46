import Foundation

/// `deploy/docs/reference/texts.md`, the listing of every text that users of an app read, in the languages that are shipped.
///
/// Each part is what the code makes today; a test compares it.
package enum TextListing {
    /// With this variable set to `1`, the listing is written again instead of compared.
    private static let writeVariable = "LATCHKEY_WRITE_GOLDEN"

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "deploy/docs/reference/texts.md")

    /// The listed text of a part, such as `mails en`, for comparison with what the code makes.
    ///
    /// - Parameter text: what the code makes; replaces the listed text when the listing is written again.
    package static func listed(_ part: String, writing text: String) throws -> String? {
        let (opening, closing) = ("<!-- \(part) -->\n```text shown\n", "\n```\n<!-- end of \(part) -->")
        let content = try String(contentsOf: file, encoding: .utf8)
        guard let start = content.range(of: opening)?.upperBound,
            let end = content.range(of: closing, range: start..<content.endIndex)?.lowerBound
        else { return nil }
        guard ProcessInfo.processInfo.environment[writeVariable] == "1" else { return String(content[start..<end]) }
        try content.replacingCharacters(in: start..<end, with: text).write(to: file, atomically: true, encoding: .utf8)
        return text
    }
}
