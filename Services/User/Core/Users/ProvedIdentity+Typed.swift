import EmailAddresses
import InternalAPI
import PhoneNumbers

extension ProvedIdentity {
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
