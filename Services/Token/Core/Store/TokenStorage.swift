package import ServiceLifecycle
package import Storage

/// Where token-service keeps what must outlive it: the ports, as one engine fills them.
package struct TokenStorage: Sendable {
    package let sessions: any SessionStore
    package let revocations: any RevocationStore
    package let keys: any SigningKeyStore
    package let leases: any LeaseStore
    package let engine: any StorageEngine
    /// Removes what has expired.
    package let sweeper: any Service

    package init(
        sessions: any SessionStore, revocations: any RevocationStore, keys: any SigningKeyStore,
        leases: any LeaseStore, engine: any StorageEngine, sweeper: any Service
    ) {
        self.sessions = sessions
        self.revocations = revocations
        self.keys = keys
        self.leases = leases
        self.engine = engine
        self.sweeper = sweeper
    }
}
