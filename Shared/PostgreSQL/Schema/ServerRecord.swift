package import Storage

/// The row of `server_record`.
///
/// A copy of the data on another server (`pg_restore`, `pg_upgrade`) contains the row of the first one. Services refuse it until
/// `database migrate` or `database begin-epoch` has noted the server.
extension ServerRecord {
    /// The table's name.
    static let table = "server_record"
    /// The statement that makes the table, which every schema has.
    static let creation = """
        CREATE TABLE server_record (
            id bigint PRIMARY KEY CHECK (id = 1),
            identifier bigint NOT NULL,
            number bigint NOT NULL
        )
        """

    /// Notes the server, if another one is noted; the server's own clock tells the number.
    static let note = statement(number: "extract(epoch FROM clock_timestamp())::bigint", always: false)

    /// Notes the server again, with a higher number.
    ///
    /// - Parameter floor: The lowest number that the record may get.
    static func renewal(from floor: Int64) -> String { statement(number: "\(floor)", always: true) }

    /// A server that does not tell its identifier is not noted.
    private static func statement(number: String, always: Bool) -> String {
        """
        DO $server$ DECLARE present bigint; BEGIN
            BEGIN
                SELECT system_identifier INTO present FROM pg_control_system();
            EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
                RETURN;
            END;
            IF \(always) OR NOT EXISTS (SELECT 1 FROM server_record WHERE identifier = present) THEN
                INSERT INTO server_record (id, identifier, number) VALUES (1, present, \(number))
                ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier,
                    number = greatest(server_record.number + 1, excluded.number);
            END IF;
        END $server$
        """
    }
}

extension Transaction {
    /// Notes the server as the one on which the schema may be used from now on, in place of every earlier one.
    ///
    /// - Parameter floor: A Unix time in seconds.
    package func noteServer(from floor: Int64) throws { try run(SQL(ServerRecord.renewal(from: floor))) }
}
