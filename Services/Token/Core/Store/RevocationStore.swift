/// What gateways have to know of ended sessions and changed rights, until they do.
package protocol RevocationStore: Sendable {
    /// How many revocations, of sessions and of keys, and floors Redis may not know yet.
    func unpublishedCount() async throws -> Int64

    /// Revocations that Redis may not know yet, oldest first.
    func unpublished(limit: Int) async throws -> [Revocation]

    /// The same of one user's sessions.
    func unpublished(ofUser userID: String) async throws -> [Revocation]

    /// Revocations that still matter, in order of `sid`, behind `after`.
    func live(after: SessionID?, limit: Int, now: Int64) async throws -> [Revocation]

    /// Notes that Redis knows.
    func markPublished(_ sessions: [SessionID]) async throws

    /// Floors that Redis may not know yet, oldest first.
    func unpublishedFloors(limit: Int) async throws -> [VersionFloor]

    /// The same of one user's sessions.
    func unpublishedFloors(ofUser userID: String) async throws -> [VersionFloor]

    /// Floors that still matter, in order of `sid`, behind `after`.
    func liveFloors(after: SessionID?, limit: Int, now: Int64) async throws -> [VersionFloor]

    /// Notes that Redis knows these floors, unless they have risen meanwhile.
    func markPublished(_ floors: [VersionFloor]) async throws
}
