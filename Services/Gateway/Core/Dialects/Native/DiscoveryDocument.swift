import AuthAPI
import EdgeHTTP
import Policies
import Release
import StrictJSON

/// `GET /.well-known/latchkey`: the facts that clients need about this deployment. At the host of a dialect, code rules and
/// token lifetime are that dialect's; elsewhere they are those of the native API.
struct DiscoveryDocument: Sendable {
    let file: TaggedFile

    /// - Parameters:
    ///   - dialect: the policy's entry of the dialect.
    ///   - sendsMail: whether otp-service sends mail.
    ///   - publicURL: the URL at which clients reach the gateway; `nil` for the policy's.
    init(of dialect: Policies.Dialect, in policy: Policy, sendsMail: Bool, publicURL: PublicURL? = nil) {
        do {
            let discovery = Discovery(
                of: dialect, in: policy, sendsMail: sendsMail, publicURL: publicURL ?? policy.publicURL)
            file = TaggedFile("application/json", try StrictJSON.encode(discovery))
        } catch {
            preconditionFailure("the discovery document is made of texts and whole numbers: \(error)")
        }
    }

    var row: DialectRow {
        DialectRow(.get, "/.well-known/latchkey", .open, counting: .nothing) { [file] request, _ throws(Refusal) in
            file.reply(knowing: request.head.text("if-none-match"))
        }
        .documented(.deployment, "Returns the facts that client libraries need", .json(Discovery.self), also: 304)
    }
}

extension Discovery {
    fileprivate init(of dialect: Policies.Dialect, in policy: Policy, sendsMail: Bool, publicURL: PublicURL?) {
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
            passkeys: policy.passkeys.flatMap { passkeys in
                policy.relyingPartyID(publicURL: publicURL).map {
                    Passkeys(rpID: $0, signUp: passkeys.signUp, restoreKeys: passkeys.restoreKeys)
                }
            }, mfa: policy.mfa.map { SecondFactors(totp: $0.totp) },
            access: Access(lifetimeSeconds: lifetimeSeconds), web: dialect.web.rawValue,
            refreshPath: dialect.refreshPath)
    }
}
