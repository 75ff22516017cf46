internal import InternalAPI
internal import PhoneNumbers
internal import Policies

/// A call that does not keep to what was agreed: 400.
struct InvalidCall: Error, Sendable {
    let member: String
}

/// What both operations make of a call first: the canonical number, and the stand-ins under which the store knows it.
struct CallTerms: Sendable {
    /// Characters of a `callID`.
    static let callIDLength = 1...128
    /// The way that codes go now.
    static let channel = "sms"

    let rules: CodeRules
    let secrets: CodeSecrets

    /// - Parameters:
    ///   - asking: what makes two calls the same beside number and purpose.
    ///   - now: Unix time in seconds.
    /// - Throws: `InvalidCall`.
    func subject(
        phone: PhoneNumber, purpose: Purpose, address: String, asking: [String], callID: String, now: Int64
    ) throws -> CallSubject {
        guard Self.callIDLength.contains(callID.utf8.count) else { throw InvalidCall(member: "callID") }
        guard let address = IPAddress(address) else { throw InvalidCall(member: "address") }
        return CallSubject(
            phoneTag: secrets.tag(phone: phone.e164), purpose: purpose,
            addressTag: secrets.tag(address: address.limitScope.description), limitsAddress: rules.limits(address),
            callTag: secrets.tag(call: [callID, phone.e164, purpose.rawValue] + asking), now: now)
    }
}
