import InternalAPI

/// The bearer's own profile.
///
/// user-service takes the identity from the access token itself; the edge has checked that it is not revoked.
struct OwnProfile: Sendable {
    let user: ServiceClient

    func read(_ call: ClientCall) async throws(Refusal) -> UserDetails {
        try await user.answer(UserOperations.readProfile, NoBody(), for: call)
    }

    /// Changes the members that `update` contains and returns the new profile.
    func change(_ update: UpdateUserRequest, _ call: ClientCall) async throws(Refusal) -> UserDetails {
        try await user.answer(UserOperations.updateProfile, update, for: call)
    }

    /// Keeps the metadata of the user that a code to the recipient may create.
    ///
    /// - Parameter own: a JSON object.
    func keepMetadata(_ own: String, for recipient: String, _ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(
            UserOperations.keepMetadata, FirstMetadataRequest(recipient: recipient, own: own), for: call)
    }

    /// Gives the metadata that was kept to the user, who has just signed in for the first time.
    func adoptMetadata(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(UserOperations.adoptMetadata, NoBody(), for: call)
    }

    /// Returns a page of everything that is stored about the user.
    ///
    /// - Parameter cursor: the `nextCursor` of the previous page, or `nil` for the first one.
    func export(behind cursor: String?, _ call: ClientCall) async throws(Refusal) -> UserExport {
        guard (cursor?.utf8.count ?? 0) <= ExportRequest.cursorBytesMax else { throw .invalid(member: "cursor") }
        let request = ExportRequest(cursor: cursor, callID: CallID.random())
        return try await user.settle(UserOperations.exportOwn, request, for: call).page.orUnavailable()
    }

    /// Schedules the account's deletion and revokes its sessions. By policy, the user must have shown who they are a moment ago.
    func delete(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(UserOperations.deleteAccount, NoBody(), for: call)
    }
}
