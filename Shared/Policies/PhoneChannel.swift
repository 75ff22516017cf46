/// A way in which a code reaches a phone.
package enum PhoneChannel: String, Sendable, CaseIterable {
    case sms, call, whatsapp

    /// The number that represents the channel in packed values; it never changes its meaning.
    package var number: UInt8 {
        switch self {
        case .sms: 0
        case .call: 1
        case .whatsapp: 2
        }
    }
}
