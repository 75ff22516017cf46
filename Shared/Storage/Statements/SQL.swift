/// The text of a statement, or a part of one. Parameters are `$1`, `$2` and so on.
///
/// Where the two databases differ, a text has a form for each.
package struct SQL: Sendable, Hashable {
    package let sqlite: String
    package let postgreSQL: String

    package init(sqlite: String, postgreSQL: String) { (self.sqlite, self.postgreSQL) = (sqlite, postgreSQL) }

    /// A text that both databases understand.
    package init(_ text: String) { self.init(sqlite: text, postgreSQL: text) }

    package static func + (one: SQL, other: SQL) -> SQL {
        SQL(sqlite: one.sqlite + other.sqlite, postgreSQL: one.postgreSQL + other.postgreSQL)
    }

    /// Locks the rows that a SELECT returns until the end of the transaction. A file has one writer at a time.
    package static let forUpdate = SQL(sqlite: "", postgreSQL: " FOR UPDATE")

    /// Returns the places of `count` parameters for `IN (…)`.
    package static func places(from first: Int = 1, count: Int) -> String {
        (first..<first + count).map { "$\($0)" }.joined(separator: ", ")
    }
}

extension SQL: ExpressibleByStringInterpolation {
    /// Joins texts, of which some may have two forms.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = SQL("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text = text + SQL(literal) }

        package mutating func appendInterpolation(_ part: SQL) { text = text + part }

        package mutating func appendInterpolation(_ part: some CustomStringConvertible) {
            text = text + SQL(part.description)
        }
    }

    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}
