import InternalAPI
import WebAuthn

/// Shows and changes the bearer's passkeys.
struct OwnPasskeys: Sendable {
    /// The greatest length of a passkey's id; a longer one cannot exist.
    private static let idLengthMax = 64

    let user: ServiceClient
    let signedInUser: SignedInUser

    func list(_ call: ClientCall) async throws(Refusal) -> [OwnPasskey] {
        try await user.answer(PasskeyOperations.listOwn, NoBody(), for: call).passkeys
    }

    /// Returns the options of a registration.
    func begin(_ kind: PasskeyKind, _ call: ClientCall) async throws(Refusal) -> PasskeyOptions {
        let request = BeginOwnPasskeyRequest(kind: kind)
        return try Self.options(try await user.answer(PasskeyOperations.beginOwn, request, for: call))
    }

    /// Returns the options with which the bearer shows again who they are.
    func beginStepUp(_ call: ClientCall) async throws(Refusal) -> PasskeyOptions {
        try Self.options(try await user.answer(PasskeyOperations.beginStepUp, NoBody(), for: call))
    }

    /// Adds a passkey. One that waits has the time from which it can be used.
    func add(_ body: PasskeyBody, _ call: ClientCall) async throws(Refusal) -> OwnPasskey {
        let operation = PasskeyOperations.addOwn
        let request = AddPasskeyRequest(
            challengeID: body.challengeId, credential: body.credential, name: body.name,
            callID: try id(operation.path, call))
        return try await user.settle(operation, request, for: call).passkey.orUnavailable()
    }

    func rename(_ id: String, to name: String, _ call: ClientCall) async throws(Refusal) -> OwnPasskey {
        try Self.require(id)
        let request = RenamePasskeyRequest(id: id, name: name)
        return try await user.settle(PasskeyOperations.renameOwn, request, for: call).passkey.orUnavailable()
    }

    /// Removes a passkey, and revokes the sessions that it opened.
    func remove(_ id: String, _ call: ClientCall) async throws(Refusal) {
        try Self.require(id)
        let operation = PasskeyOperations.removeOwn
        let request = RemovePasskeyRequest(id: id, callID: try self.id(operation.path + " " + id, call))
        try await user.settle(operation, request, for: call)
    }

    private static func require(_ id: String) throws(Refusal) {
        guard id.utf8.count <= idLengthMax else { throw .noSuchPasskey }
    }

    private static func options(_ answer: PasskeyOptionsAnswer) throws(Refusal) -> PasskeyOptions {
        guard let options = answer.options else { throw .notFound }
        return options
    }

    private func id(_ path: String, _ call: ClientCall) throws(Refusal) -> String {
        try call.id(path, user: try signedInUser.admitted(call))
    }
}

/// The body of `POST /users/me/passkeys`.
struct PasskeyBody: Decodable {
    let challengeId: String
    let credential: RegistrationCredential
    let name: String?
}
