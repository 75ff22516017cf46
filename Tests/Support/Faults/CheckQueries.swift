/// The queries of `DatabaseCheck` in the SQL of an engine.
struct CheckQueries: Sendable {
    enum Engine: Sendable { case sqlite, postgreSQL }

    private let engine: Engine

    init(_ engine: Engine) { self.engine = engine }

    /// Each counts rows that only a half-done act leaves.
    var token: [String: String] {
        [
            "sessions without their audit record":
                "SELECT count(*) FROM sessions WHERE sid NOT IN (\(sids(of: "session.opened")))",
            "audit records of sessions that are not there":
                "SELECT count(*) FROM audit WHERE event = 'session.opened' AND sid NOT IN (SELECT sid FROM sessions)",
            "used grants without session":
                "SELECT count(*) FROM used_grants WHERE session NOT IN (SELECT locator FROM sessions)",
            "ended sessions without their audit record":
                """
            SELECT count(*) FROM sessions WHERE is_revoked AND sid NOT IN (\(sids(of: "session.revoked")))
            AND sid NOT IN (\(sids(of: "session.reused")))
            """,
            "ended sessions without revocation":
                """
            SELECT count(*) FROM sessions WHERE is_revoked AND sid NOT IN (SELECT sid FROM revocations)
            AND access_expires_at > \(now)
            """,
        ]
    }

    /// No round removes users.
    var user: [String: String] {
        [
            "users without their audit record":
                """
            SELECT count(*) FROM users WHERE pseudonym NOT IN
                (SELECT subject FROM audit WHERE event IN ('user.created', 'user.imported'))
            """,
            "resolutions without user":
                """
            SELECT count(*) FROM resolutions WHERE user_id NOT IN (SELECT id FROM users)
            AND user_id NOT IN (SELECT id FROM merged_users)
            """,
            "users without identity":
                """
            SELECT count(*) FROM users WHERE id NOT IN (SELECT user_id FROM identities)
            AND id NOT IN (SELECT user_id FROM unverified_addresses) AND deletion_due_at IS NULL
            """,
            "users with two identities of one kind":
                """
            SELECT count(*) FROM (SELECT user_id FROM identities WHERE kind <> 'oidc'
                GROUP BY user_id, kind HAVING count(*) > 1) AS doubled
            """,
            "merged users who live": "SELECT count(*) FROM users WHERE id IN (SELECT id FROM merged_users)",
        ]
    }

    /// For a policy with `audit.refresh: full`.
    let rotations = [
        "sessions whose generation is not the number of their rotation records":
            """
        SELECT count(*) FROM sessions LEFT JOIN
            (SELECT sid, count(*) AS records FROM audit WHERE event = 'session.rotated' GROUP BY sid) AS r USING (sid)
        WHERE generation <> coalesce(records, 0)
        """
    ]

    var rotationsBySession: String {
        "SELECT \(hex("sid")), count(*) FROM audit WHERE event = 'session.rotated' GROUP BY sid"
    }

    var createdUsers: String {
        """
        SELECT \(hex("users.id")) FROM users JOIN audit ON audit.subject = users.pseudonym
        WHERE audit.event = 'user.created'
        """
    }

    func sessions(of event: String) -> String {
        "SELECT \(hex("sid")) FROM audit WHERE event = '\(event)' AND sid IS NOT NULL"
    }

    private func sids(of event: String) -> String {
        "SELECT sid FROM audit WHERE event = '\(event)' AND sid IS NOT NULL"
    }

    private func hex(_ column: String) -> String {
        engine == .sqlite ? "lower(hex(\(column)))" : "encode(\(column), 'hex')"
    }

    private var now: String { engine == .sqlite ? "unixepoch()" : "extract(epoch FROM now())" }
}
