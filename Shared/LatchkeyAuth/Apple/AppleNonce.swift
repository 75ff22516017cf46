/// The nonce of a request to Sign in with Apple. Apple puts its digest into the identity token, and the server compares the two,
/// so that a token that was stolen elsewhere is of no use.
struct AppleNonce: Sendable, Equatable {
    /// The value that goes to the server.
    let value: String

    init(_ value: String = RandomBytes.token()) { self.value = value }

    /// The value that goes to Apple: SHA-256 in lower-case hexadecimal digits.
    var digest: String {
        SHA256.hash(Array(value.utf8)).map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
    }
}
