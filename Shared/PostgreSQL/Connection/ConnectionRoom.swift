import Storage

/// The number of connections that a server has left for a process.
struct ConnectionRoom: Sendable, Equatable {
    /// `max_connections` of the server.
    let max: Int64
    /// The connections that are kept for superusers and other privileged roles.
    let reserved: Int64
    /// The connections that are open, those of this process included.
    let used: Int64

    init(max: Int64, reserved: Int64, used: Int64) { (self.max, self.reserved, self.used) = (max, reserved, used) }

    init(_ session: Session) throws {
        let row = try session.rows(
            """
            SELECT current_setting('max_connections')::bigint,
                current_setting('superuser_reserved_connections')::bigint
                    + coalesce(current_setting('reserved_connections', true), '0')::bigint,
                (SELECT coalesce(sum(numbackends), 0)::bigint FROM pg_stat_database)
            """
        ).first
        self.init(max: row?.integer(0) ?? 0, reserved: row?.integer(1) ?? 0, used: row?.integer(2) ?? 0)
    }

    /// Refuses a number of connections for which the server has no room.
    ///
    /// - Parameter open: The number of these that are open already.
    func require(_ wanted: Int, open: Int) throws(StorageError) {
        guard Int64(wanted - open) > max - reserved - used else { return }
        throw StorageError(
            .full,
            "the server has no room for \(wanted) connections of each replica: max_connections is \(max), of which "
                + "\(reserved) are reserved and \(used) are open. Raise max_connections, or lower the number of each replica"
        )
    }
}
