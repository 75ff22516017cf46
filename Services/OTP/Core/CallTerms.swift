import InternalAPI
import PhoneNumbers
import Policies

/// A call that does not keep to what was agreed: 400.
struct InvalidCall: Error, Sendable {
    let member: String
}

/// What both operations make of a call first: the stand-ins under which the store knows it, and its limits.
struct CallTerms: Sendable {
    /// Characters of a `callID`.
    static let callIDLength = 1...128
    /// The way that codes go now.
    static let channel = "sms"

    let rules: CodeRules
    let secrets: CodeSecrets

    /// What a call says of itself.
    struct Call: Sendable {
        let place: ChallengePlace
        let address: String
        /// The number in the caller's own access token, if one came with the call.
        let signedInPhone: String?
        let callID: String
        /// What makes two calls the same beside number and place.
        let asking: [String]
        /// Unix time in seconds.
        let now: Int64
    }

    /// Where challenges for `purpose` lie in the dialect that these terms are of.
    ///
    /// - Throws: `InvalidCall`.
    func place(of purpose: Purpose) throws(InvalidCall) -> ChallengePlace {
        guard let place = ChallengePlace(purpose, in: rules.dialect) else { throw InvalidCall(member: "dialect") }
        return place
    }

    /// - Throws: `InvalidCall`.
    func subject(ofSend call: Call, to phone: PhoneNumber) throws -> CallSubject {
        let address = try address(call)
        return subject(
            call, phone, address,
            limits: {
                $0.forSend(phone, from: address, exemption: rules.exemption(of: address), now: call.now)
            })
    }

    /// - Throws: `InvalidCall`.
    func subject(ofGuess call: Call, at phone: PhoneNumber) throws -> CallSubject {
        let address = try address(call)
        return subject(
            call, phone, address,
            limits: {
                $0.forGuess(from: address, exemption: rules.exemption(of: address), now: call.now)
            })
    }

    private func address(_ call: Call) throws -> IPAddress {
        guard Self.callIDLength.contains(call.callID.utf8.count) else { throw InvalidCall(member: "callID") }
        guard let address = IPAddress(call.address) else { throw InvalidCall(member: "address") }
        return address
    }

    private func subject(
        _ call: Call, _ phone: PhoneNumber, _ address: IPAddress, limits: (LimitWindows) -> [LimitWindow]
    ) -> CallSubject {
        CallSubject(
            phone: secrets.tag(phone: phone.handset), place: call.place,
            blockTag: secrets.tag(block: address.knownScope.description),
            isVouchedFor: call.signedInPhone.flatMap { rules.phone($0, region: nil) } == phone,
            windows: limits(LimitWindows(otp: rules.otp, secrets: secrets)),
            callTag: secrets.tag(call: [call.callID, phone.handset, call.place.name] + call.asking), now: call.now
        )
    }
}
