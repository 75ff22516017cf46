package import Storage

extension Migration {
    /// Returns the first step of a service's schema, which also makes the tables that every schema has.
    package static func firstOfSchema(_ tables: String) -> Migration {
        first([FileCopy.creation, ServerRecord.creation, tables].joined(separator: ";\n"))
    }
}
