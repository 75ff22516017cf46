package import ServiceLifecycle
package import Storage
package import UserEvents

/// The stores in which token-service keeps its durable data, as one database engine implements them.
package struct TokenStorage: Sendable {
    package let sessions: any SessionStore
    package let revocations: any RevocationStore
    package let keys: any SigningKeyStore
    package let audit: any AuditQueries
    /// The events for the app's back end.
    package let events: EventQueue
    package let counts: HourlyCounts
    package let leases: any LeaseStore
    package let engine: any StorageEngine
    /// Removes what has expired.
    package let sweeper: any Service

    package init(
        sessions: any SessionStore, revocations: any RevocationStore, keys: any SigningKeyStore,
        audit: any AuditQueries, events: EventQueue, counts: HourlyCounts, leases: any LeaseStore,
        engine: any StorageEngine, sweeper: any Service
    ) {
        self.sessions = sessions
        self.revocations = revocations
        self.keys = keys
        self.audit = audit
        self.events = events
        self.counts = counts
        self.leases = leases
        self.engine = engine
        self.sweeper = sweeper
    }
}
