import FoundationEssentials
import Synchronization

/// Our account at Twilio and its auth tokens, which may change at run time.
package final class TwilioAccount: Sendable {
    /// Why a token file cannot be used; contains nothing of the token itself.
    package struct Problem: Error, Sendable, CustomStringConvertible {
        package let description =
            "must hold the auth token on one line, or during a rotation two lines, the new one first"
    }

    private static let tokenLength = 8...128

    /// `AC` and 32 hex digits.
    package let sid: String
    private let state: Mutex<[String]>

    /// - Parameter tokens: the text of the secret `twilio_auth_token`.
    package init(sid: String, tokens: String) throws(Problem) {
        self.sid = sid
        state = Mutex(try Self.lines(tokens))
    }

    /// Replaces the tokens, or throws and keeps the old ones.
    package func replaceTokens(_ text: String) throws(Problem) {
        let tokens = try Self.lines(text)
        state.withLock { $0 = tokens }
    }

    /// The tokens that callbacks may be signed with; the first one signs our requests.
    package var tokens: [String] { state.withLock { $0 } }

    /// The value of `Authorization` (RFC 7617).
    package var authorization: String {
        "Basic " + Data("\(sid):\(tokens.first ?? "")".utf8).base64EncodedString()
    }

    private static func lines(_ text: String) throws(Problem) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let isPlain = lines.allSatisfy { line in
            tokenLength.contains(line.utf8.count) && line.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3A }
        }
        guard (1...2).contains(lines.count), isPlain else { throw Problem() }
        return lines
    }
}

/// Twilio's identifiers: two letters and 32 hex digits.
package enum TwilioSID {
    package static func isSID(_ text: String, _ kind: String) -> Bool {
        text.hasPrefix(kind) && text.utf8.count == kind.utf8.count + 32
            && text.utf8.dropFirst(kind.utf8.count).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || (0x41...0x46).contains($0)
            }
    }
}
