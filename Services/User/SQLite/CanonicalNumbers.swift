import GRDB
import PhoneNumbers
import SQLiteStore

/// The migration that gives stored phone numbers the canonical form, in which all spellings that reach one handset are
/// one number (deploy/docs/run/phone-numbers.md).
///
/// A phone number whose new form is in another row stays as it is, since it is unknown whether both belong to one person.
/// `latchkeyctl users renumber --canonical --dry-run` lists such phone numbers.
enum CanonicalNumbers {
    static let migration = Migration(
        "canonical numbers",
        """
        UPDATE OR IGNORE identities SET value = canonical_number(value)
            WHERE kind = 'phone' AND value <> canonical_number(value);
        UPDATE OR IGNORE invitations SET value = canonical_number(value)
            WHERE kind = 'phone' AND value <> canonical_number(value)
        """, functions: [function])

    /// Returns the canonical form of a phone number. An invalid phone number stays as it is.
    private static let function = DatabaseFunction("canonical_number", argumentCount: 1, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]) else { return values[0] }
        do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: text).e164 } catch { return text }
    }
}
