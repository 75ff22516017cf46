internal import GRDB
internal import SQLiteStore

/// Users in `users.sqlite`.
struct SQLiteUserStore: UserStore {
    let database: SQLiteDatabase

    func user(_ id: UserID) async throws -> User? {
        try await database.read { try UserRows(database: $0).user(id) }
    }

    func update(_ id: UserID, _ change: ProfileChange, origin: RequestOrigin, now: Int64) async throws -> User? {
        try await database.write { database in
            let rows = UserRows(database: database)
            guard let user = try rows.user(id), user.isActive, user.deletion == nil else { return try rows.user(id) }
            let (after, changed) = change.applied(to: user, now: now)
            // A repeat changes nothing and is no second event.
            guard !changed.isEmpty else { return user }
            try rows.update(after)
            try AuditRows(database: database).append(
                AuditEntry(
                    event: .updated, subject: user.pseudonym, origin: origin, detail: changed.joined(separator: ",")),
                now: now)
            return after
        }
    }

    func changeRights(
        of id: UserID, _ change: RightsChange, origin: RequestOrigin, now: Int64,
        messages: @escaping @Sendable (User, User) throws -> [OutboxMessage]
    ) async throws -> [OutboxItem]? {
        try await database.write { database in
            let (rows, outbox) = (UserRows(database: database), OutboxRows(database: database))
            guard let user = try rows.user(id) else { return nil }
            let (after, changed) = change.applied(to: user, now: now)
            if !changed.isEmpty {
                try rows.update(after)
                try AuditRows(database: database).append(
                    AuditEntry(
                        event: .rightsChanged, subject: user.pseudonym, origin: origin,
                        detail: changed.joined(separator: ",")), now: now)
                for message in try messages(user, after) {
                    try outbox.insert(message, about: id, dueAt: now + OutboxLimits.ownAttemptSeconds, now: now)
                }
            }
            return try outbox.pending(.token, about: id, limit: OutboxLimits.batchMax)
        }
    }

    func scheduleDeletion(
        of id: UserID, graceDays: Int, origin: RequestOrigin, now: Int64,
        message: @escaping @Sendable (User) throws -> OutboxMessage
    ) async throws -> (dueAt: Int64, pending: [OutboxItem])? {
        try await database.write { database in
            let (rows, outbox) = (UserRows(database: database), OutboxRows(database: database))
            guard var user = try rows.user(id) else { return nil }
            let deletion = user.deletion ?? ScheduledDeletion(now: now, graceDays: graceDays)
            if user.deletion == nil {
                user.deletion = deletion
                user.epoch += 1
                user.updatedAt = now
                try rows.update(user)
                try AuditRows(database: database).append(
                    AuditEntry(event: .deletionRequested, subject: user.pseudonym, origin: origin), now: now)
                try outbox.insert(
                    try message(user), about: id, dueAt: now + OutboxLimits.ownAttemptSeconds, now: now)
            }
            return (deletion.dueAt, try outbox.pending(.token, about: id, limit: OutboxLimits.batchMax))
        }
    }

    func restore(_ id: UserID, origin: RequestOrigin, now: Int64) async throws -> RestoreOutcome {
        try await database.write { database in
            let rows = UserRows(database: database)
            guard var user = try rows.user(id) else { return .unknown }
            guard let deletion = user.deletion else { return .restored }
            guard now < deletion.dueAt else { return .tooLate }
            user.deletion = nil
            user.updatedAt = now
            try rows.update(user)
            try AuditRows(database: database).append(
                AuditEntry(event: .restored, subject: user.pseudonym, origin: origin), now: now)
            return .restored
        }
    }
}
