import StrictJSON

/// The URLs of a directory at which a conversation begins (RFC 8555 section 7.1.1).
struct ACMEDirectory: Decodable, Equatable {
    let newNonce: String
    let newAccount: String
    let newOrder: String
}

/// A status of an order, an authorization or a challenge (RFC 8555 section 7.1.6).
enum ACMEStatus: String, Decodable {
    case pending, ready, processing, valid, invalid, deactivated, expired, revoked
}

/// An order as the directory states it (RFC 8555 section 7.1.3).
struct ACMEOrder: Decodable, Equatable {
    /// The next thing to do for an order.
    enum Step: Equatable {
        /// Answer the challenges of these authorizations.
        case prove([String])
        /// Send the request for the certificate to this URL.
        case finalize(String)
        /// Wait, and read the order again.
        case wait
        /// Read the certificate at this URL.
        case download(String)
        /// The order has failed.
        case give(ACMEProblem?)
    }

    let status: ACMEStatus
    let authorizations: [String]
    let finalize: String
    let certificate: String?
    let error: ACMEProblem?

    /// - Parameters:
    ///   - hasProved: Whether the challenges were answered.
    ///   - hasFinalized: Whether the request for the certificate was sent.
    func next(hasProved: Bool, hasFinalized: Bool) -> Step {
        switch status {
        case .pending: hasProved ? .wait : .prove(authorizations)
        case .ready: hasFinalized ? .wait : .finalize(finalize)
        case .processing: .wait
        case .valid: certificate.map(Step.download) ?? .give(nil)
        case .invalid, .deactivated, .expired, .revoked: .give(error)
        }
    }
}

/// The authority's question whether we serve a host (RFC 8555 section 7.1.4).
struct ACMEAuthorization: Decodable, Equatable {
    struct Identifier: Codable, Equatable {
        let type: String
        let value: String
    }

    let identifier: Identifier
    let status: ACMEStatus
    let challenges: [ACMEChallenge]
}

/// One way to answer an authorization (RFC 8555 section 8).
struct ACMEChallenge: Decodable, Equatable {
    /// The ways that the gateway has.
    enum Kind: String, CaseIterable {
        case http = "http-01"
        case tls = "tls-alpn-01"
    }

    let type: String
    let url: String
    let status: ACMEStatus
    let token: String?
    let error: ACMEProblem?
}

/// A directory's reason for a refusal (RFC 8555 section 6.7). Its texts are cut, since the directory chooses them.
struct ACMEProblem: Decodable, Equatable {
    private static let prefix = "urn:ietf:params:acme:error:"
    private static let textMax = 200

    /// The kind of error, such as `rateLimited`.
    let type: String
    let detail: String

    private enum CodingKeys: String, CodingKey { case type, detail }

    init(type: String, detail: String) {
        self.type = Self.short(type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.utf8.count)) : type)
        self.detail = Self.short(detail)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            type: try members.decodeIfPresent(String.self, forKey: .type) ?? "",
            detail: try members.decodeIfPresent(String.self, forKey: .detail) ?? "")
    }

    private static func short(_ text: String) -> String {
        String(text.unicodeScalars.prefix(textMax).map { (" "..."~").contains($0) ? Character($0) : "?" })
    }
}
