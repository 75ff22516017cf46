/// A named step of a schema.
package struct Migration: Sendable {
    /// The step's permanent name; each step runs once in a schema or file.
    package let name: String
    /// One or more statements.
    package let sql: String
    /// The oldest release that works with a schema that has this step; `nil` for a step that all earlier releases tolerate, since it
    /// only adds tables, columns and indexes.
    package let needsRelease: String?

    package init(_ name: String, _ sql: String, needsRelease: String? = nil) {
        self.name = name
        self.sql = sql
        self.needsRelease = needsRelease
    }

    /// Returns the first step of a service's schema, whose name contains a hash of its statements (`FirstStep`).
    ///
    /// - Parameter text: statements, and lines of comments, which are no part of the step.
    package static func first(_ text: String) -> Migration {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("--") }
        let sql = lines.joined(separator: "\n")
        return Migration(FirstStep.name(of: sql), sql)
    }
}
