public import Foundation
public import LatchkeyAuth

/// A keeper of passkeys that shows no sheet: a test says what the user does, and nothing that it returns is signed.
///
/// ```swift
/// configuration.passkeys = ScriptedPasskeys()
/// ```
public final class ScriptedPasskeys: PasskeyProvider {
    /// The act of the user.
    public enum Answer: Sendable {
        /// The user makes or chooses a passkey.
        case given
        /// The user closes the sheet.
        case closed
        /// The keeper fails with this error.
        case failing(AuthError)
        /// The sheet stays open until the task is cancelled.
        case open
    }

    public let takesReports = true
    private let content = Guarded(Content())

    private struct Content {
        var answer = Answer.given
        var account: (phone: String, name: String?)?
        var creations: [PasskeyCreation] = []
        var requests: [PasskeyRequest] = []
        var accepted: [[Data]] = []
        var unknown: [Data] = []
    }

    /// The id of the passkey that the user has.
    public static let credentialID = Data("passkey-1".utf8)

    public init() {}

    /// Sets what the user does from now on.
    public func answers(_ answer: Answer) { content.change { $0.answer = answer } }

    /// Sets what the user enters in the sheet for a new account. Without it there is no such sheet.
    public func signsUp(phone: String, name: String?) { content.change { $0.account = (phone, name) } }

    /// The options of the passkeys that were made.
    public var creations: [PasskeyCreation] { content.change { $0.creations } }
    /// The options of the uses of a passkey.
    public var requests: [PasskeyRequest] { content.change { $0.requests } }
    /// The reports of the passkeys that the server accepts.
    public var accepted: [[Data]] { content.change { $0.accepted } }
    /// The passkeys that the server was reported not to know.
    public var unknown: [Data] { content.change { $0.unknown } }

    public func create(_ request: PasskeyCreation) async throws -> CreatedPasskey {
        content.change { $0.creations.append(request) }
        try await answer()
        return CreatedPasskey(
            credentialID: Self.credentialID, clientDataJSON: Self.clientData("create", request.challenge),
            attestationObject: Data([0xa0]))
    }

    public func sign(_ request: PasskeyRequest) async throws -> PasskeyAssertion {
        content.change { $0.requests.append(request) }
        try await answer()
        return PasskeyAssertion(
            credentialID: Self.credentialID, clientDataJSON: Self.clientData("get", request.challenge),
            authenticatorData: Data([0]), signature: Data("signature".utf8), userHandle: Data("handle-1".utf8))
    }

    public func createAccount(_ request: PasskeyCreation) async throws -> PasskeyAccount? {
        guard let account = content.change({ $0.account }) else { return nil }
        return PasskeyAccount(phone: account.phone, name: account.name, passkey: try await create(request))
    }

    public func report(accepted credentialIDs: [Data], ofUser handle: Data, relyingParty: String) async {
        content.change { $0.accepted.append(credentialIDs) }
    }

    public func report(unknown credentialID: Data, relyingParty: String) async {
        content.change { $0.unknown.append(credentialID) }
    }

    private func answer() async throws {
        switch content.change({ $0.answer }) {
        case .given: break
        case .closed: throw AuthError.cancelled
        case .failing(let error): throw error
        case .open:
            let (never, end) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            end.finish()
            throw CancellationError()
        }
    }

    private static func clientData(_ type: String, _ challenge: Data) -> Data {
        Data(#"{"type":"webauthn.\#(type)","challenge":"\#(challenge.base64EncodedString())"}"#.utf8)
    }
}
