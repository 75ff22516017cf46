package import ServiceLifecycle
package import Storage

/// The storage of user-service: the ports, as one engine provides them.
package struct UserStorage: Sendable {
    package let users: any UserStore
    package let queries: any UserQueries
    package let imports: any ImportStore
    package let numbers: any NumberStore
    package let removals: any RemovalStore
    package let outbox: any OutboxStore
    package let audit: any AuditStore
    package let leases: any LeaseStore
    package let engine: any StorageEngine
    /// Removes what has expired.
    package let sweeper: any Service

    package init(
        users: any UserStore, queries: any UserQueries, imports: any ImportStore, numbers: any NumberStore,
        removals: any RemovalStore, outbox: any OutboxStore, audit: any AuditStore, leases: any LeaseStore,
        engine: any StorageEngine, sweeper: any Service
    ) {
        (self.users, self.queries, self.imports, self.numbers) = (users, queries, imports, numbers)
        (self.removals, self.outbox, self.audit, self.leases) = (removals, outbox, audit, leases)
        (self.engine, self.sweeper) = (engine, sweeper)
    }
}
