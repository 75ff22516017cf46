/// The revoked sessions and changed rights that gateways have to know, kept until they do.
package protocol RevocationStore: Sendable {
    /// Returns how many revocations, of sessions and of keys, and floors Redis may not know yet.
    func unpublishedCount() async throws -> Int64

    /// Returns revocations that Redis may not know yet, oldest first.
    func unpublished(limit: Int) async throws -> [Revocation]

    /// Returns revocations of one user's sessions that Redis may not know yet.
    func unpublished(ofUser userID: String) async throws -> [Revocation]

    /// Stores the revocation of a client, whose tokens belong to no session, until Redis knows it and as long as it matters. A
    /// later one of the same client holds longer.
    func add(_ revocation: Revocation) async throws

    /// Returns revocations that still matter, in order of `sid`, after `after`.
    func live(after: SessionID?, limit: Int, now: Int64) async throws -> [Revocation]

    /// Notes that Redis knows the revocations.
    func markPublished(_ sessions: [SessionID]) async throws

    /// Returns floors that Redis may not know yet, oldest first.
    func unpublishedFloors(limit: Int) async throws -> [VersionFloor]

    /// Returns floors of one user's sessions that Redis may not know yet.
    func unpublishedFloors(ofUser userID: String) async throws -> [VersionFloor]

    /// Returns floors that still matter, in order of `sid`, after `after`.
    func liveFloors(after: SessionID?, limit: Int, now: Int64) async throws -> [VersionFloor]

    /// Notes that Redis knows these floors, unless they have risen meanwhile.
    func markPublished(_ floors: [VersionFloor]) async throws
}
