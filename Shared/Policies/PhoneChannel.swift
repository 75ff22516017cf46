/// How a code comes to a phone.
package enum PhoneChannel: String, Sendable, CaseIterable {
    case sms, call, whatsapp

    /// What stands for it in packed values; a number never changes its meaning.
    package var number: UInt8 {
        switch self {
        case .sms: 0
        case .call: 1
        case .whatsapp: 2
        }
    }
}
