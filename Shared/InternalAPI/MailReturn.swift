/// The way from a mailed link of the dialect `supabase` back to the app. The link signs in only together with the app's verifier.
package struct MailReturn: Codable, Sendable, Equatable {
    /// The `type` in a link, as Supabase Auth writes it.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case magiclink, signup, recovery
    }

    /// BASE64URL(SHA-256(verifier)), RFC 7636; `nil` for a mail with a code and without a link.
    package var challenge: String?
    /// An address of the policy's `webRedirects`, which the gateway has checked; `nil` if there is none, and so no link.
    package var redirect: String?

    package init(challenge: String? = nil, redirect: String? = nil) {
        (self.challenge, self.redirect) = (challenge, redirect)
    }

    /// Whether the mail has a link.
    package var hasLink: Bool { challenge != nil && redirect != nil }

    /// Returns the link below a URL of the deployment, or `nil` for a mail without one.
    package func link(_ token: String, _ kind: Kind, at baseURL: String) -> String? {
        guard hasLink, let redirect else { return nil }
        return "\(baseURL)/auth/v1/verify?token=\(token)&type=\(kind.rawValue)&redirect_to=\(Self.encoded(redirect))"
    }

    /// Percent-encodes everything but unreserved characters (RFC 3986 section 2.3).
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.append(Character(Unicode.Scalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
            }
        }
    }
}
