package import ServiceLifecycle
package import Storage

/// Where user-service keeps what must outlive it: the ports, as one engine fills them.
package struct UserStorage: Sendable {
    package let users: any UserStore
    package let accounts: any AccountStore
    package let support: any SupportStore
    package let imports: any ImportStore
    package let numbers: any NumberStore
    package let removals: any RemovalStore
    package let decisions: any DecisionStore
    package let outbox: any OutboxStore
    package let outboxSupport: any OutboxSupportStore
    package let audit: any AuditStore
    package let engine: any StorageEngine
    /// Removes what has expired.
    package let sweeper: any Service

    package init(
        users: any UserStore, accounts: any AccountStore, support: any SupportStore,
        imports: any ImportStore, numbers: any NumberStore, removals: any RemovalStore, decisions: any DecisionStore,
        outbox: any OutboxStore,
        outboxSupport: any OutboxSupportStore, audit: any AuditStore, engine: any StorageEngine, sweeper: any Service
    ) {
        self.users = users
        self.accounts = accounts
        self.support = support
        self.imports = imports
        self.numbers = numbers
        self.removals = removals
        self.decisions = decisions
        self.outbox = outbox
        self.outboxSupport = outboxSupport
        self.audit = audit
        self.engine = engine
        self.sweeper = sweeper
    }
}
