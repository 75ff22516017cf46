import EmailAddresses
import InternalAPI
import PhoneNumbers

/// Whom a code goes to.
enum Recipient: Sendable, Equatable {
    case phone(PhoneNumber)
    case email(EmailAddress)
    /// Whom a link that is not ours is for: no challenge is ever his.
    case nobody

    /// The text that codes, challenges and proofs are bound to: the canonical number or address, which is also where the
    /// message goes and what a right code proves.
    var key: String { destination }

    /// The text under which counters know the recipient.
    var counterKey: String { phone?.handset ?? key }

    var phone: PhoneNumber? { if case .phone(let phone) = self { phone } else { nil } }

    /// As the message is addressed.
    var destination: String {
        switch self {
        case .phone(let phone): phone.e164
        case .email(let address): address.text
        case .nobody: ""
        }
    }

    /// The way that codes go; also the method of the sign-in, and the label of metrics.
    var channel: String {
        switch self {
        case .phone: "sms"
        case .email, .nobody: "email"
        }
    }

    /// What a right code proves.
    var identity: ProvedIdentity {
        switch self {
        case .phone(let phone): .phone(phone.e164)
        case .email, .nobody: ProvedIdentity(kind: .email, value: destination)
        }
    }

    /// Countries go by calling code: the number of labels is bounded, and numbers do not say more for sure.
    var countryLabel: String {
        switch self {
        case .phone(let phone): "+\(phone.callingCode)"
        case .email, .nobody: "none"
        }
    }
}
