import Foundation

/// The user's sessions on all devices.
extension LatchkeyAuth {
    /// Lists where the user is signed in, newest first.
    public func sessions() async throws(AuthError) -> [SessionInfo] {
        let json = try await authorized(API.Call(method: .get, path: "/sessions"))
        guard case .array(let sessions)? = json.members?["sessions"] else { throw .notLatchkey }
        return sessions.compactMap(SessionInfo.init)
    }

    /// Ends a session of the user. Use ``signOut(_:)`` for the session of this app.
    public func endSession(_ id: String) async throws(AuthError) {
        let path = "/sessions/\(try Self.segment(id))"
        try await authorized(API.Call(method: .delete, path: path, route: "/sessions/{id}"))
    }

    /// An id as a part of a path, which it cannot leave.
    static func segment(_ id: String) throws(AuthError) -> String {
        guard let part = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_"])) else {
            throw .invalid(field: "id", code: "invalid_id")
        }
        return part
    }
}
