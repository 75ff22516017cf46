import CryptoPrimitives

/// The first step of a schema, which makes all tables of version 1.
///
/// Its name contains a hash of its text. Until the first release the text is edited in place, so a database with another first
/// step is of an earlier working state, which no release can use.
package enum FirstStep {
    private static let hashBytes = 8

    /// Returns the name of the first step with this text.
    package static func name(of sql: String) -> String {
        "version 1, \(Hex.encode(SHA256.hash(Array(sql.utf8)).prefix(hashBytes)))"
    }

    /// The refusal of a database of an earlier working state, worded to follow its name.
    package static let refusal =
        "is of a working state before the first release, which this release cannot use; nothing in it was changed"
}
