package import ServiceLifecycle
package import Storage

/// The storage of user-service: all ports, provided by one engine.
package struct UserStorage: Sendable {
    package let users: any UserStore
    package let queries: any UserQueries
    package let removals: any RemovalStore
    package let outbox: any OutboxStore
    package let audit: any AuditStore
    package let leases: any LeaseStore
    package let engine: any StorageEngine
    /// Removes what has expired.
    package let sweeper: any Service

    package init(
        users: any UserStore, queries: any UserQueries, removals: any RemovalStore, outbox: any OutboxStore,
        audit: any AuditStore, leases: any LeaseStore, engine: any StorageEngine, sweeper: any Service
    ) {
        (self.users, self.queries, self.removals, self.outbox) = (users, queries, removals, outbox)
        (self.audit, self.leases, self.engine, self.sweeper) = (audit, leases, engine, sweeper)
    }
}
