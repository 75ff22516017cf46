extension TwilioVerifications {
    /// A setting of the Service that has to be fixed before it can send codes.
    package enum Problem: Sendable, Equatable {
        /// Custom codes are not enabled.
        case customCodesOff
        /// The Service's codes have this many digits, ours do not.
        case codeLength(Int)
        /// The Service did not respond as documented.
        case failed(DeliveryFailure)

        /// The problem's name for metrics and operators.
        package var label: String {
            switch self {
            case .customCodesOff: "custom_codes_off"
            case .codeLength(let digits): "code_length_\(digits)"
            case .failed(let failure): failure.label
            }
        }
    }

    /// Checks the settings of the Service itself.
    ///
    /// - Parameters:
    ///     - codeLength: The number of digits that the policy sets for codes.
    ///     - isManaged: Whether Twilio generates the codes.
    /// - Returns: `nil` if there is nothing to fix.
    package func problem(codeLength: Int, isManaged: Bool, within limit: Duration) async -> Problem? {
        let result = await client.get(path, within: limit)
        guard let answer = result.accepted else {
            switch TwilioErrors.verdict(result) {
            case .failed(let failure), .again(_, let failure), .closeFirst(let failure): return .failed(failure)
            case .taken: return nil
            }
        }
        guard let body = answer.body else { return .failed(.badAnswer) }
        if !isManaged, body.customCodeEnabled == false { return .customCodesOff }
        if let digits = body.codeLength, digits != codeLength { return .codeLength(digits) }
        return nil
    }
}
