import Storage

/// The statements that find what a role has or is beyond a service's rights. Each row is one finding.
enum RoleExcess {
    private static let me = "(SELECT oid FROM pg_roles WHERE rolname = current_user)"
    private static let own = "(SELECT oid FROM pg_namespace WHERE nspname = $1::text)"
    private static let limit = "ORDER BY 1 LIMIT \(RoleRights.shownMax)"
    /// The number of `pg_authid`, by which the server notes the role that owns an object or has rights to it.
    private static let roles = "1260"
    private static let here = "dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))"

    static func statements(_ schema: String, unchangedTables: [String]) -> [Statement] {
        // Privileges on tables that no service's role gets; MAINTAIN exists since PostgreSQL 17.
        var withheld = ["TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"].map { (table: "", privilege: $0) }
        for (table, privileges) in WithheldRights.all(unchangedTables: unchangedTables) {
            withheld += privileges.map { (table, $0) }
        }
        return [
            Statement(attributes), Statement(memberships), Statement(ownership), Statement(otherSchemas, schema),
            Statement(schemaCreation, schema),
            Statement(
                tables, schema, SQLValue.texts(withheld.map(\.table)), SQLValue.texts(withheld.map(\.privilege))),
            Statement(sequences, schema), Statement(otherObjects, schema), Statement(databases),
            Statement(grantOptions, schema),
        ]
    }

    private static let attributes: SQL = """
        SELECT unnest(array_remove(ARRAY[
            CASE WHEN rolcreaterole THEN 'has CREATEROLE' END, CASE WHEN rolcreatedb THEN 'has CREATEDB' END,
            CASE WHEN rolbypassrls THEN 'has BYPASSRLS' END, CASE WHEN rolreplication THEN 'has REPLICATION' END
        ], NULL)) FROM pg_roles WHERE rolname = current_user
        """

    /// Also a membership whose rights the role would have to take by SET ROLE.
    private static let memberships: SQL = """
        SELECT 'is a member of ' || rolname FROM pg_roles
        WHERE rolname <> current_user AND pg_has_role(oid, 'MEMBER') \(limit)
        """

    private static let ownership: SQL = """
        SELECT 'owns the ' || pg_describe_object(classid, objid, objsubid) FROM pg_shdepend
        WHERE deptype = 'o' AND refclassid = \(roles) AND refobjid = \(me) AND \(here) \(limit)
        """

    private static let otherSchemas: SQL = """
        SELECT 'has privileges in the schema ' || nspname FROM pg_namespace
        WHERE nspname <> $1::text AND nspname NOT IN ('public', 'pg_catalog', 'information_schema')
            AND nspname !~ '^pg_(toast|temp)'
            AND (has_schema_privilege(oid, 'USAGE') OR has_schema_privilege(oid, 'CREATE')) \(limit)
        """

    private static let schemaCreation: SQL = """
        SELECT 'may create tables in the schema ' || nspname FROM pg_namespace
        WHERE nspname = $1::text AND has_schema_privilege(oid, 'CREATE')
        """

    private static let tables: SQL = """
        SELECT 'has ' || p.privilege || ' on ' || c.relname
        FROM pg_class AS c CROSS JOIN unnest($2::text[], $3::text[]) AS p (relation, privilege)
        WHERE c.relnamespace = \(own) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND p.relation IN ('', c.relname)
            AND CASE
                WHEN p.privilege = 'MAINTAIN' AND current_setting('server_version_num')::int < 170000 THEN false
                WHEN p.privilege IN ('INSERT', 'UPDATE', 'REFERENCES') THEN has_any_column_privilege(c.oid, p.privilege)
                ELSE has_table_privilege(c.oid, p.privilege) END
        \(limit)
        """

    private static let sequences: SQL = """
        SELECT 'has ' || p.privilege || ' on ' || c.relname
        FROM pg_class AS c CROSS JOIN (VALUES ('SELECT'), ('UPDATE')) AS p (privilege)
        WHERE c.relnamespace = \(own) AND c.relkind = 'S' AND has_sequence_privilege(c.oid, p.privilege) \(limit)
        """

    /// Everything that is granted to the role by its name and is neither a database nor in the service's schema.
    private static let otherObjects: SQL = """
        SELECT DISTINCT 'has privileges on the ' || pg_describe_object(classid, objid, 0) FROM pg_shdepend
        WHERE deptype = 'a' AND refclassid = \(roles) AND refobjid = \(me) AND \(here)
            AND classid NOT IN ('pg_database'::regclass, 'pg_default_acl'::regclass)
            AND NOT (classid = 'pg_namespace'::regclass AND objid = \(own))
            AND NOT (classid = 'pg_class'::regclass
                AND objid IN (SELECT oid FROM pg_class WHERE relnamespace = \(own)))
        \(limit)
        """

    /// CONNECT and TEMPORARY are usual, since some operators take them from PUBLIC.
    private static let databases: SQL = """
        SELECT DISTINCT 'may create schemas in the database ' || datname FROM pg_database, aclexplode(datacl) AS a
        WHERE a.grantee = \(me) AND a.privilege_type = 'CREATE' \(limit)
        """

    private static let grantOptions: SQL = """
        SELECT DISTINCT 'may pass on its rights to ' || name FROM (
            SELECT nspname, nspacl FROM pg_namespace WHERE nspname = $1::text
            UNION ALL SELECT datname, datacl FROM pg_database
            UNION ALL SELECT relname, relacl FROM pg_class WHERE relnamespace = \(own)
            UNION ALL SELECT relname, attacl FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
                WHERE relnamespace = \(own)
        ) AS t (name, acl), aclexplode(t.acl) AS a WHERE a.is_grantable AND a.grantee = \(me) \(limit)
        """
}
