package import ServiceLifecycle
package import Storage
package import UserEvents

/// The storage of user-service: all ports, provided by one engine.
package struct UserStorage: Sendable {
    package let users: any UserStore
    package let queries: any UserQueries
    package let removals: any RemovalStore
    package let outbox: any OutboxStore
    /// The events for the app's back end.
    package let events: EventQueue
    package let audit: any AuditStore
    package let counts: HourlyCounts
    package let leases: any LeaseStore
    package let engine: any StorageEngine
    /// Removes what has expired.
    package let sweeper: any Service

    package init(
        users: any UserStore, queries: any UserQueries, removals: any RemovalStore, outbox: any OutboxStore,
        events: EventQueue, audit: any AuditStore, counts: HourlyCounts, leases: any LeaseStore,
        engine: any StorageEngine, sweeper: any Service
    ) {
        (self.users, self.queries, self.removals, self.outbox) = (users, queries, removals, outbox)
        (self.events, self.audit, self.leases, self.engine) = (events, audit, leases, engine)
        (self.counts, self.sweeper) = (counts, sweeper)
    }
}
