import EmailAddresses
import InternalAPI
import PhoneNumbers

/// The recipient of a code.
enum Recipient: Sendable, Equatable {
    case phone(PhoneNumber)
    case email(EmailAddress)
    /// The recipient of a link that is not ours, who never has a challenge.
    case unknown

    /// The text to which codes, challenges and proofs are bound: the canonical phone number or email address, which is also the
    /// destination of the message and the identity that a right code proves.
    var key: String { destination }

    /// The text under which counters know the recipient.
    var counterKey: String { phone?.handset ?? key }

    var phone: PhoneNumber? { if case .phone(let phone) = self { phone } else { nil } }

    /// The address of the message.
    var destination: String {
        switch self {
        case .phone(let phone): phone.e164
        case .email(let address): address.text
        case .unknown: ""
        }
    }

    /// The channel of the codes; also the method of the sign-in, and the label of metrics.
    var channel: String {
        switch self {
        case .phone: "sms"
        case .email, .unknown: "email"
        }
    }

    /// The identity that a right code proves.
    var identity: VerifiedIdentity {
        switch self {
        case .phone(let phone): .phone(phone.e164)
        case .email, .unknown: VerifiedIdentity(kind: .email, value: destination)
        }
    }

    /// The label of the country: its calling code. That bounds the number of labels, and a phone number reveals nothing more
    /// precise with certainty.
    var countryLabel: String {
        switch self {
        case .phone(let phone): "+\(phone.callingCode)"
        case .email, .unknown: "none"
        }
    }

    /// The country and a channel, for the hourly counts.
    func tallyLabel(by channel: String) -> String { "\(countryLabel) \(channel)" }
}
