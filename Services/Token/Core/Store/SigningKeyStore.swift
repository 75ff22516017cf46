package import InternalAPI
package import Storage

/// The signing keys, shared with the replicas. Every change includes its audit record and is durable before the call returns.
package protocol SigningKeyStore: Sendable {
    /// Returns all keys except those that are gone, oldest first.
    func load() async throws -> [SigningKeyRecord]

    /// Returns the state of a key, also of one that is gone, or `nil` for an unknown one.
    func state(of keyID: String) async throws -> KeyState?

    /// Carries out a decision on the keys that `load` returned, if they are unchanged. A name that any key ever had makes it stale
    /// too.
    func apply(_ changes: [KeyChange], on seen: [SigningKeyRecord], now: Int64) async throws -> Applied

    /// Ends a key and stores its revocation for Redis.
    func end(_ keyID: String, now: Int64) async throws

    /// Returns a number that differs from the last one if another process has written since.
    func changeMark() async throws -> Int64

    /// Returns the revocations of keys that Redis may not know yet.
    func unpublishedRevocations() async throws -> [KeyRevocation]

    /// Returns the revocations of keys that still matter.
    func liveRevocations(now: Int64) async throws -> [KeyRevocation]

    /// Notes that Redis knows the revocations.
    func markRevocationsPublished(_ keyIDs: [String]) async throws
}

/// One change of the stored keys.
package enum KeyChange: Sendable, Equatable {
    /// A key is added, under the event that the audit records.
    case add(SigningKeyRecord, as: AuditEvent)
    /// A key enters a state; a key that is gone keeps only its name.
    case move(String, to: KeyState)
    /// The policy lets tokens live longer than when the key was made.
    case widen(String, tokenSeconds: Int64)
}
