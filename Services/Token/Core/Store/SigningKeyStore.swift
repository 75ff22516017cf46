package import InternalAPI
package import Storage

/// The signing keys, shared with the replicas; every change holds its audit record and is durable before the call returns.
package protocol SigningKeyStore: Sendable {
    /// All keys but those that are gone, oldest first.
    func load() async throws -> [SigningKeyRecord]

    /// The state of a key, also of one that is gone; nil for an unknown one.
    func state(of keyID: String) async throws -> KeyState?

    /// Does what was decided on the keys that `load` gave, if they are the same still; a name that any key ever had makes
    /// it stale too.
    func apply(_ changes: [KeyChange], on seen: [SigningKeyRecord], now: Int64) async throws -> Applied

    /// Ends a key and leaves its revocation for Redis.
    func end(_ keyID: String, now: Int64) async throws

    /// A number that differs from the last one if another process has written since.
    func changeMark() async throws -> Int64

    /// Revocations of keys that Redis may not know yet.
    func unpublishedRevocations() async throws -> [KeyRevocation]

    /// Revocations of keys that still matter.
    func liveRevocations(now: Int64) async throws -> [KeyRevocation]

    /// Notes that Redis knows.
    func markRevocationsPublished(_ keyIDs: [String]) async throws
}

/// One change of the stored keys.
package enum KeyChange: Sendable, Equatable {
    /// A key begins, for the reason that the audit is to name.
    case add(SigningKeyRecord, as: AuditEvent)
    /// A key comes into a state; what is gone keeps its name alone.
    case move(String, to: KeyState)
    /// The policy lets tokens live longer than when the key began.
    case widen(String, tokenSeconds: Int64)
}
