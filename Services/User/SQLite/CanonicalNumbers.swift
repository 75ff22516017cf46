import GRDB
import PhoneNumbers
import SQLiteStore

/// The step that gives stored numbers the canonical form, in which all spellings that reach one handset are
/// one number (phone-numbers.md).
///
/// A number whose new form another row has stays as it is: nobody can tell whether both belong to one person.
/// `latchkeyctl users renumber --canonical --dry-run` lists what stayed.
enum CanonicalNumbers {
    static let migration = Migration(
        "canonical numbers",
        """
        UPDATE OR IGNORE identities SET value = canonical_number(value)
            WHERE kind = 'phone' AND value <> canonical_number(value);
        UPDATE OR IGNORE invitations SET value = canonical_number(value)
            WHERE kind = 'phone' AND value <> canonical_number(value)
        """, functions: [function])

    /// The canonical form of a number; what is no number today stays.
    private static let function = DatabaseFunction("canonical_number", argumentCount: 1, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]) else { return values[0] }
        do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: text).e164 } catch { return text }
    }
}
