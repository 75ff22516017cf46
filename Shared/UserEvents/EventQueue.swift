package import Storage

/// The queue of events in the database of a service, shared with the replicas.
package struct EventQueue: Sendable {
    private let database: any StorageDatabase

    package init(database: any StorageDatabase) { self.database = database }

    static let ends: SQL = """
        SELECT (SELECT min(due_at) FROM user_events WHERE due_at IS NOT NULL),
            (SELECT max(due_at) FROM user_events WHERE due_at IS NOT NULL)
        """

    /// Whether an event is due. A due time that is far ahead is from before a clock was set back.
    package func hasDue(now: Int64) async throws -> Bool {
        let ends = try await database.read { reading in
            let row = try reading.rows(Self.ends).first
            return (first: row?.optionalInteger(0), last: row?.optionalInteger(1))
        }
        guard let first = ends.first, let last = ends.last else { return false }
        return first <= now || last > now + EventLimits.waitSecondsMax
    }

    /// Makes events from before a clock was set back due, with all other waiting ones of their users, so that these keep their order.
    static let wakened: SQL = """
        UPDATE user_events SET due_at = $1
        WHERE due_at IS NOT NULL AND user_id IN (SELECT user_id FROM user_events WHERE due_at > $2)
        """

    /// Stores the results of attempts, and claims events that are due: of each user the oldest, in their order.
    ///
    /// - Parameters:
    ///   - users: Users whose events are being posted now, at most `EventLimits.placesMax`. Their events are left out.
    ///   - lease: The right to post events, which the same transaction takes or prolongs.
    /// - Returns: The events, or `nil` if another replica has the lease.
    package func turn(
        _ results: [EventResult], besides users: Set<[UInt8]>, limit: Int, lease: Lease, now: Int64
    ) async throws -> [QueuedEvent]? {
        try await database.write { transaction in
            transaction.lock(results.compactMap(\.lock))
            try transaction.run(results.flatMap { EventRows.statements(for: $0, now: now) })
            guard try lease.take(now: now, in: transaction) else { return nil }
            try transaction.run(Self.wakened, now, now + EventLimits.waitSecondsMax)
            let values: [any SQLConvertible] = [now, limit]
            let others = users.map { $0 as any SQLConvertible }
            return try transaction.rows(Self.due(besides: users.count), values + others).map(EventRows.event)
        }
    }

    /// Selects at most $2 events that are due at $1, except those of the users from $3 on.
    static func due(besides users: Int) -> SQL {
        let others = users == 0 ? "" : " AND user_id NOT IN (\(SQL.places(from: 3, count: users)))"
        return """
            SELECT \(EventRows.columns) FROM user_events WHERE due_at <= $1\(others)
            ORDER BY due_at, sequence LIMIT $2
            """
    }

    /// Queues all events since a Unix time in seconds again, delivered or not, and tries those that wait at once.
    ///
    /// All of a user's events are queued in one transaction, under the lock on the user, so that none gets ahead of an earlier one.
    ///
    /// - Parameter last: Begins after this user.
    /// - Returns: The number of events, and after which user the next call begins; `nil` after the last one.
    package func replay(
        after last: [UInt8] = [], since: Int64, now: Int64
    ) async throws -> (count: Int, next: [UInt8]?) {
        var (count, last) = (0, last)
        for _ in 0..<EventLimits.replaysMax {
            let after = last
            let (users, replayed) = try await database.write {
                try Self.replay(after: after, since: since, now: now, in: $0)
            }
            count += replayed
            guard let greatest = users.last, users.count == EventLimits.replayedMax else { return (count, nil) }
            last = greatest
        }
        return (count, last)
    }

    private static let replayedUsers: SQL = """
        SELECT DISTINCT user_id FROM user_events WHERE user_id > $1 AND (made_at >= $2 OR due_at IS NOT NULL)
        ORDER BY user_id LIMIT $3
        """

    /// - Returns: The users whose events were queued, in the order of their ids, and the number of events.
    private static func replay(
        after last: [UInt8], since: Int64, now: Int64, in transaction: any Transaction
    ) throws -> (users: [[UInt8]], count: Int) {
        let users = try transaction.rows(replayedUsers, last, since, EventLimits.replayedMax).map { $0.bytes(0) }
        guard !users.isEmpty else { return ([], 0) }
        transaction.lock(users.map { AdvisoryLock(.user, $0) })
        let values: [any SQLConvertible] = [since, now]
        let replayed = try transaction.rows(
            """
            UPDATE user_events SET due_at = $2, queued_at = $2, attempts = 0, settled_at = NULL, is_given_up = false
            WHERE user_id IN (\(SQL.places(from: 3, count: users.count)))
                AND (made_at >= $1 OR due_at IS NOT NULL)
            RETURNING id
            """, values + users.map { $0 as any SQLConvertible })
        return (users, replayed.count)
    }

    /// The conditions are repeated, since PostgreSQL checks only those of the outer statement again on a row that was delivered or replayed
    /// while this waited for it.
    private static let abandoned: SQL = """
        UPDATE user_events SET due_at = NULL, settled_at = $1, is_given_up = true WHERE id IN
            (SELECT id FROM user_events WHERE due_at IS NOT NULL AND queued_at <= $2 ORDER BY due_at, sequence LIMIT $3)
            AND due_at IS NOT NULL AND queued_at <= $2
        RETURNING 1
        """

    /// Gives up events that have waited since a Unix time in seconds or longer, for a hook that stopped or cannot be reached.
    ///
    /// - Returns: The number of events, at most `EventLimits.givenUpMax`.
    package func giveUp(queuedUntil time: Int64, now: Int64) async throws -> Int {
        try await database.write { try $0.rows(Self.abandoned, now, time, EventLimits.givenUpMax).count }
    }

    /// Lets another replica post events at once.
    package func release(_ lease: Lease) async throws { try await Leases(database: database).release(lease) }

    /// The numbers of events.
    package struct Standing: Sendable, Equatable {
        package let pending: Int64
        /// Unix time in seconds from which the oldest one waits; `nil` if none waits.
        package let oldestAt: Int64?
        package let givenUp: Int64
    }

    package func standing() async throws -> Standing {
        try await database.read { reading in
            let row = try reading.rows(
                """
                SELECT count(*), min(queued_at), (SELECT count(*) FROM user_events WHERE is_given_up = true)
                FROM user_events WHERE due_at IS NOT NULL
                """
            ).first
            return Standing(
                pending: row?.integer(0) ?? 0, oldestAt: row?.optionalInteger(1), givenUp: row?.integer(2) ?? 0)
        }
    }
}

extension EventResult {
    /// The lock on a user whose later events wait too: an event that is being written must not get ahead of them.
    fileprivate var lock: AdvisoryLock? {
        guard case .retry = step else { return nil }
        return AdvisoryLock(.user, event.user)
    }
}
