public import Foundation

/// A sign-in that the user has gone to a provider's page for.
///
/// It is `Codable`: keep it if the app may end before the page comes back. It holds a secret, so keep it where you would keep those.
public struct PendingBrowser: Sendable, Hashable, Codable {
    /// The path of the provider's requests: `/auth/apple` or `/auth/oidc/{name}`.
    let path: String
    /// The URL by which the provider's page returns.
    public let redirect: URL
    /// The proof that this app has begun the sign-in (RFC 7636 section 4.1).
    let verifier: String

    init(path: String, redirect: URL, verifier: String = RandomBytes.token()) {
        self.path = path
        self.redirect = redirect
        self.verifier = verifier
    }

    /// The provider's name.
    var provider: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The provider as the end of a path: `/apple` or `/oidc/{name}`.
    var pathEnd: String { String(path.dropFirst("/auth".count)) }

    /// The challenge that the provider's page is requested with (RFC 7636 section 4.2).
    var challenge: String { Base64URL.encode(SHA256.hash(Array(verifier.utf8))) }

    /// The code of a link and the secret that belongs to it, as members of a request.
    func proof(_ code: String) -> [String: JSONValue?] { ["code": .string(code), "verifier": .string(verifier)] }

    /// The path and query of the page that begins the sign-in.
    var page: String {
        let digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let text = redirect.absoluteString.addingPercentEncoding(withAllowedCharacters: .init(charactersIn: digits))
        return "\(path)/authorize?challenge=\(challenge)&redirect=\(text ?? "")"
    }

    /// Reads the code that a link brings back, or the failure. Returns `nil` if the link is not the one of this sign-in.
    func code(of link: URL) -> Result<String, AuthError>? {
        guard Self.place(link) == Self.place(redirect) else { return nil }
        let query = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        if let code = value("code"), !code.isEmpty { return .success(code) }
        guard query.contains(where: { ["code", "error"].contains($0.name) }) else { return nil }
        guard let error = value("error").flatMap(Reply.word) else { return .failure(.noCode) }
        return .failure(error == "access_denied" ? .cancelled : .refused(status: 0, code: error, requestID: nil))
    }

    /// A URL without its query and fragment. Browsers write the scheme and the host in lower case, and no path as `/`.
    private static func place(_ url: URL) -> [String?] {
        let path = url.path(percentEncoded: true)
        let port = url.port.map { String($0) }
        return [url.scheme?.lowercased(), url.host()?.lowercased() ?? "", port, path.isEmpty ? "/" : path]
    }
}

extension AuthError {
    /// A provider's page has come back without a code.
    static let noCode = AuthError.refused(status: 0, code: "no_code", requestID: nil)
}

extension PendingBrowser: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PendingBrowser(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
