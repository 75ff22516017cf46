import AuthAPI
import CryptoPrimitives
import EdgeHTTP
import Policies
import Release
import StrictJSON

/// `GET /.well-known/latchkey`: the facts that clients need about this deployment. At the host of a dialect, code rules and
/// token lifetime are that dialect's; elsewhere they are those of the native API.
///
/// The document is encoded once. A client that has a copy learns by its entity tag (RFC 9110 section 8.8.3) that nothing has
/// changed.
struct DiscoveryDocument: Sendable {
    private static let ageSecondsMax = 300

    let body: [UInt8]
    let entityTag: String

    /// - Parameters:
    ///   - dialect: the policy's entry of the dialect.
    ///   - sendsMail: whether otp-service sends mail.
    init(of dialect: Policies.Dialect, in policy: Policy, sendsMail: Bool) {
        do {
            body = try StrictJSON.encode(Discovery(of: dialect, in: policy, sendsMail: sendsMail))
        } catch {
            preconditionFailure("the discovery document is made of texts and whole numbers: \(error)")
        }
        entityTag = "\"\(Hex.encode(Array(SHA256.hash(body).prefix(8))))\""
    }

    var row: DialectRow {
        DialectRow(.get, "/.well-known/latchkey", .open, counting: .nothing) { [self] request, _ throws(Refusal) in
            reply(knowing: request.head.text("if-none-match"))
        }
        .documented(.deployment, "Returns the facts that client libraries need", .json(Discovery.self), also: 304)
    }

    /// - Parameter known: the entity tag of the client's copy, or `nil`.
    func reply(knowing known: String?) -> Reply {
        let headers = [("ETag", entityTag), ("Cache-Control", "public, max-age=\(Self.ageSecondsMax)")]
        guard known != entityTag, known != "W/" + entityTag else {
            return Reply(status: 304, headers: headers, body: [])
        }
        return Reply(
            status: 200,
            headers: [("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff")] + headers, body: body
        )
    }
}

extension Discovery {
    fileprivate init(of dialect: Policies.Dialect, in policy: Policy, sendsMail: Bool) {
        let codes = dialect.otp
        let lifetimeSeconds = policy.profile(named: dialect.profile)?.accessLifetimeSeconds ?? 0
        self.init(
            version: Release.version, issuer: policy.issuer,
            codes: !policy.sendsCodes
                ? nil
                : Codes(
                    length: codes.length, lifetimeSeconds: codes.lifetimeSeconds,
                    channels: policy.messages.channels.map(\.rawValue)),
            mail: (sendsMail ? policy.email : nil).map {
                Mail(codeLength: $0.codes.length, lifetimeSeconds: $0.codes.lifetimeSeconds)
            },
            passwords: policy.passwords != nil, providers: policy.identityProviders.map(\.name),
            phoneTokens: policy.phoneTokens.isEmpty ? nil : policy.phoneTokens.map(\.name),
            access: Access(lifetimeSeconds: lifetimeSeconds), web: dialect.web.rawValue,
            refreshPath: dialect.refreshPath)
    }
}
