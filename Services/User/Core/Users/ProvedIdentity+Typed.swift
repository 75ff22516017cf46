import EmailAddresses
import InternalAPI
import PhoneNumbers

extension ProvedIdentity {
    /// The identity with its number in canonical form: an otp-service of the release before proves others too.
    var canonical: ProvedIdentity { kind == .phone ? ProvedIdentity(typed: value, region: nil) ?? self : self }

    /// What an operator means by an address or a number; nil for neither.
    ///
    /// - Parameter region: of numbers that come without a calling code; nil for none.
    init?(typed text: String, region: String?) {
        do {
            self =
                text.contains("@")
                ? ProvedIdentity(kind: .email, value: try EmailAddress(parsing: text).text)
                : .phone(try PhoneNumber(parsing: text, region: region).e164)
        } catch {
            return nil
        }
    }
}
