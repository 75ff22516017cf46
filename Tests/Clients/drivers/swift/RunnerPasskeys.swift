import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting

/// The runner's sheet for passkeys, which speaks the JSON of WebAuthn as a browser does.
struct RunnerPasskeys: PasskeyProvider {
    let wire: Wire
    let takesReports: Bool

    private struct Options: Encodable {
        struct Descriptor: Encodable {
            var id: String
            var type = "public-key"
        }
        var challenge: String
        var excludeCredentials: [Descriptor]?
        var allowCredentials: [Descriptor]?
    }

    private struct Credential: Decodable {
        struct Response: Decodable {
            var clientDataJSON: String
            var attestationObject: String?
            var authenticatorData: String?, signature: String?, userHandle: String?
        }
        var id: String
        var response: Response
    }

    func create(_ request: PasskeyCreation) async throws -> CreatedPasskey {
        let excluded = request.excludedCredentialIDs.map { Options.Descriptor(id: Self.text($0)) }
        let credential = try await ask(
            "create", Options(challenge: Self.text(request.challenge), excludeCredentials: excluded))
        return CreatedPasskey(
            credentialID: Self.data(credential.id), clientDataJSON: Self.data(credential.response.clientDataJSON),
            attestationObject: Self.data(credential.response.attestationObject))
    }

    func sign(_ request: PasskeyRequest) async throws -> PasskeyAssertion {
        let allowed = request.allowedCredentialIDs.map { Options.Descriptor(id: Self.text($0)) }
        let credential = try await ask(
            "get", Options(challenge: Self.text(request.challenge), allowCredentials: allowed))
        let response = credential.response
        return PasskeyAssertion(
            credentialID: Self.data(credential.id), clientDataJSON: Self.data(response.clientDataJSON),
            authenticatorData: Self.data(response.authenticatorData), signature: Self.data(response.signature),
            userHandle: Self.data(response.userHandle))
    }

    func report(accepted credentialIDs: [Data], ofUser handle: Data, relyingParty: String) async {
        let ids = credentialIDs.map(Self.text).joined(separator: "+")
        wire.tell(Line(event: "accepted:" + (ids.isEmpty ? "nothing" : ids)))
    }

    private func ask(_ what: String, _ options: Options) async throws -> Credential {
        let text = String(decoding: try JSONEncoder().encode(options), as: UTF8.self)
        let (replies, reply) = AsyncStream<Message>.makeStream()
        Thread.detachNewThread { [wire] in reply.yield(wire.ask(Line(what: what, options: text))) }
        for await message in replies {
            if message.trouble == "exists" { throw AuthError.passkeyExists }
            guard let credential = message.credential else { throw AuthError.cancelled }
            return try JSONDecoder().decode(Credential.self, from: Data(credential.utf8))
        }
        throw CancellationError()
    }

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ text: String?) -> Data {
        let standard = (text ?? "").replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
            ?? Data()
    }
}
