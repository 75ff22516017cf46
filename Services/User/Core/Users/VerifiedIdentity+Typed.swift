import EmailAddresses
import InternalAPI
import PhoneNumbers

extension VerifiedIdentity {
    /// The identity with its phone number in canonical form. An otp-service of
    /// another release may know other national rules.
    var canonical: VerifiedIdentity { kind == .phone ? VerifiedIdentity(typed: value, region: nil) ?? self : self }

    /// Reads an email address or a phone number that the operator typed, or returns `nil` if it is neither.
    ///
    /// - Parameter region: the region of phone numbers without a calling code, or `nil` if they are invalid.
    init?(typed text: String, region: String?) {
        do {
            self =
                text.contains("@")
                ? VerifiedIdentity(kind: .email, value: try EmailAddress(parsing: text).text)
                : .phone(try PhoneNumber(parsing: text, region: region).e164)
        } catch {
            return nil
        }
    }
}
