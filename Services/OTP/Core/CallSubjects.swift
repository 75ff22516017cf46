import InternalAPI
import Policies

/// Turns calls into the tags under which the store knows them, with their limits.
struct CallSubjects: Sendable {
    /// The permitted length of a `callID`.
    static let callIDLength = 1...128
    let rules: CodeRules
    let secrets: CodeSecrets

    /// The facts that a call states.
    struct Call: Sendable {
        let place: ChallengePlace
        let address: String
        /// Whether the client presented a token of the recipient's own account.
        let isVouchedFor: Bool
        let callID: String
        /// The parts, besides recipient and place, in which two calls must be equal to be the same call.
        let asking: [String]
        /// Unix time in seconds.
        let now: Int64
    }

    /// The permitted length of a user's id.
    private static let userIDLength = 1...128

    /// Returns the place of challenges for `purpose` in the dialect of the rules.
    ///
    /// - Parameter userID: the user of a bound code; `nil` for other purposes.
    /// - Throws: `InvalidInput`.
    func place(of purpose: Purpose, _ userID: String?) throws(InvalidInput) -> ChallengePlace {
        guard purpose.isBound == (userID != nil), userID.map({ Self.userIDLength.contains($0.utf8.count) }) != false
        else { throw InvalidInput(member: "userID") }
        guard let place = ChallengePlace(purpose, of: userID, in: rules.dialect)
        else { throw InvalidInput(member: "dialect") }
        return place
    }

    /// - Throws: `InvalidInput`.
    func subject(ofSend call: Call, to recipient: Recipient) throws -> CallSubject {
        let address = try address(call)
        return subject(
            call, recipient, address,
            limits: {
                $0.forSend(recipient, from: address, exemption: rules.exemption(of: address), now: call.now)
            })
    }

    /// - Throws: `InvalidInput`.
    func subject(ofGuess call: Call, at recipient: Recipient) throws -> CallSubject {
        let address = try address(call)
        return subject(
            call, recipient, address,
            limits: {
                $0.forGuess(from: address, exemption: rules.exemption(of: address), now: call.now)
            })
    }

    private func address(_ call: Call) throws -> IPAddress {
        guard Self.callIDLength.contains(call.callID.utf8.count) else { throw InvalidInput(member: "callID") }
        guard let address = IPAddress(call.address) else { throw InvalidInput(member: "address") }
        return address
    }

    private func subject(
        _ call: Call, _ recipient: Recipient, _ address: IPAddress, limits: (LimitWindows) -> [LimitWindow]
    ) -> CallSubject {
        CallSubject(
            recipient: secrets.tag(recipient), place: call.place, ownerTag: call.place.userID.map(secrets.tag(owner:)),
            blockTag: secrets.tag(block: address.knownScope.description), isVouchedFor: call.isVouchedFor,
            windows: limits(LimitWindows(otp: rules.otp, secrets: secrets)),
            callTag: secrets.tag(call: [call.callID, recipient.key, call.place.name] + call.asking), now: call.now
        )
    }
}
