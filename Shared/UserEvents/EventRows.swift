package import Storage

/// Reads and writes rows of `user_events`, the queue of events in the database of a service.
///
/// All waiting events of a user have ascending due times in the order of their sequence, so that the rows that are due begin with
/// each user's oldest. An event that fails sets the due time of all of them, under the lock on the user that every writer takes.
package enum EventRows {
    private static let indexes = """
        CREATE UNIQUE INDEX user_events_by_user ON user_events (user_id, sequence);
        CREATE INDEX user_events_by_due ON user_events (due_at, sequence) WHERE due_at IS NOT NULL;
        CREATE INDEX user_events_waiting ON user_events (user_id, due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX user_events_given_up ON user_events (id) WHERE is_given_up = true;
        """

    /// The step that adds the table to a file.
    package static let fileStep = Migration(
        "user events",
        """
        CREATE TABLE user_events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            kind TEXT NOT NULL,
            subject BLOB,
            reason TEXT,
            made_at INTEGER NOT NULL,
            queued_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER,
            settled_at INTEGER,
            is_given_up INTEGER NOT NULL DEFAULT 0
        );
        \(indexes)
        """)

    /// The step that adds the table to a schema.
    package static let schemaStep = Migration(
        "user events",
        """
        CREATE TABLE user_events (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id bytea NOT NULL,
            sequence bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            subject bytea,
            reason text COLLATE "C",
            made_at bigint NOT NULL,
            queued_at bigint NOT NULL,
            attempts bigint NOT NULL DEFAULT 0,
            due_at bigint,
            settled_at bigint,
            is_given_up boolean NOT NULL DEFAULT false
        ) WITH (autovacuum_vacuum_scale_factor = 0.02);
        \(indexes)
        """)

    /// Adds an event. Its sequence is the time in milliseconds, or one more than the user's last: it also grows after a restore, and
    /// after all earlier rows are gone.
    static let insertion: SQL = """
        INSERT INTO user_events (user_id, sequence, kind, subject, reason, made_at, queued_at, due_at)
        VALUES ($1, greatest(coalesce((SELECT max(sequence) FROM user_events WHERE user_id = $1), 0) + 1,
                CAST($5 AS bigint) * 1000),
            $2, $3, $4, $5, $5,
            greatest(coalesce((SELECT max(due_at) FROM user_events WHERE user_id = $1 AND due_at IS NOT NULL), 0), $5))
        """

    /// Adds events in their order, in a transaction that has the locks on their users.
    package static func insert(_ events: [UserEvent], now: Int64, in transaction: any Transaction) throws {
        guard !events.isEmpty else { return }
        try transaction.run(
            events.map { Statement(insertion, $0.user, $0.kind.rawValue, $0.subject, $0.reason, now) })
    }

    static let columns = "id, user_id, sequence, kind, subject, reason, made_at, queued_at, attempts"

    static func event(_ row: Row) -> QueuedEvent {
        QueuedEvent(
            id: row.integer(0), user: row.bytes(1), sequence: row.integer(2), kind: row.text(3),
            subject: row.optionalBytes(4), reason: row.optionalText(5), madeAt: row.integer(6),
            queuedAt: row.integer(7), attempts: row.integer(8))
    }

    private static let delivered: SQL = """
        UPDATE user_events SET due_at = NULL, settled_at = $2, is_given_up = false WHERE id = $1 AND queued_at = $3
        """
    private static let givenUp: SQL = """
        UPDATE user_events SET due_at = NULL, settled_at = $2, is_given_up = true, attempts = attempts + 1
        WHERE id = $1 AND queued_at = $3
        """
    private static let failed: SQL = "UPDATE user_events SET attempts = attempts + 1 WHERE id = $1"
    static let postponed: SQL =
        "UPDATE user_events SET due_at = $2 WHERE user_id = $1 AND due_at IS NOT NULL"

    /// Returns the statements that store the result of an attempt. An event that was replayed meanwhile is posted again.
    static func statements(for result: EventResult, now: Int64) -> [Statement] {
        switch result.step {
        case .delivered: [Statement(delivered, result.event.id, now, result.event.queuedAt)]
        case .givenUp: [Statement(givenUp, result.event.id, now, result.event.queuedAt)]
        case .retry(let time): [Statement(failed, result.event.id), Statement(postponed, result.event.user, time)]
        }
    }

    /// Returns the sweep that removes delivered events after the policy's days, and given-up ones after a month. An event that waits is
    /// given up first, unless no process has a hook any more.
    package static func sweep(keepDays: Int) -> ExpirySweep {
        let (kept, undelivered) = (Int64(keepDays) * 86_400, Int64(max(keepDays, EventLimits.undeliveredDays)) * 86_400)
        return ExpirySweep(
            table: "user_events", key: "id",
            expiry: """
                CASE WHEN settled_at IS NOT NULL AND is_given_up = false THEN settled_at + \(kept)
                    ELSE coalesce(settled_at, queued_at + \(EventLimits.waitingSecondsMax)) + \(undelivered) END
                """)
    }
}
