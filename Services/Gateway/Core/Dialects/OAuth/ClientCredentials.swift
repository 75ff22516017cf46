import CryptoPrimitives

/// The credentials of a confidential client (RFC 6749 section 2.3.1).
struct ClientCredentials: Sendable, Equatable {
    let id: String
    let secret: String
}

/// How a request authenticates its client.
enum ClientAuthentication: Sendable, Equatable {
    case client(ClientCredentials)
    /// The request has no credentials, or none that we understand.
    case missing
    /// The request has credentials in the header and in the body. It is refused, since it is unclear which of them apply.
    case twice

    /// - Parameter authorization: the values of all `Authorization` fields.
    init(authorization: [[UInt8]], form: FormBody) {
        guard !authorization.isEmpty else {
            self = Self.inBody(form).map { .client($0) } ?? .missing
            return
        }
        guard authorization.count == 1, form["client_secret"] == nil else {
            self = .twice
            return
        }
        guard let credentials = Self.basic(authorization[0]) else {
            self = .missing
            return
        }
        // A client may state its id in the body as well, if it is the same.
        let isSame = form["client_id"].map { $0 == credentials.id } ?? true
        self = isSame ? .client(credentials) : .twice
    }

    private static func inBody(_ form: FormBody) -> ClientCredentials? {
        guard let id = form["client_id"], let secret = form["client_secret"] else { return nil }
        return ClientCredentials(id: id, secret: secret)
    }

    /// Reads `Basic base64(id:secret)`, both of them form-encoded.
    private static func basic(_ value: [UInt8]) -> ClientCredentials? {
        let scheme = Array("basic ".utf8)
        guard value.count > scheme.count, zip(value, scheme).allSatisfy({ $0 | 0x20 == $1 }),
            let decoded = base64(value.dropFirst(scheme.count)),
            let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
            let id = FormBody.decode(decoded[..<colon]), let secret = FormBody.decode(decoded[(colon + 1)...]),
            !id.isEmpty, !secret.isEmpty
        else { return nil }
        return ClientCredentials(id: id, secret: secret)
    }

    /// Decodes Base64 with padding, in its one canonical spelling (RFC 4648 section 4).
    private static func base64(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var digits: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "+"): digits.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): digits.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: digits.append(byte)
            }
        }
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return padding <= 2 ? Base64URL.decode(digits.dropLast(padding)) : nil
    }
}
