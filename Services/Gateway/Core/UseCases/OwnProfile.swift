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

    /// Schedules the account's deletion and revokes its sessions. By policy, the user must have shown who they are a moment ago.
    func delete(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(UserOperations.deleteAccount, NoBody(), for: call)
    }
}
