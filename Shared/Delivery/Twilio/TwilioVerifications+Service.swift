extension TwilioVerifications {
    /// What of the Service has to be mended before it can send codes.
    package enum Problem: Sendable, Equatable {
        /// Our own codes are not enabled.
        case customCodesOff
        /// Its codes have so many digits, ours not.
        case codeLength(Int)
        /// It does not answer as agreed.
        case failed(DeliveryFailure)

        /// As metrics and operators name it.
        package var label: String {
            switch self {
            case .customCodesOff: "custom_codes_off"
            case .codeLength(let digits): "code_length_\(digits)"
            case .failed(let failure): failure.label
            }
        }
    }

    /// Looks at the Service itself.
    ///
    /// - Parameters:
    ///   - codeLength: digits of codes, as the policy has them.
    ///   - isManaged: its codes are its own.
    /// - Returns: nil: there is nothing to mend.
    package func problem(codeLength: Int, isManaged: Bool, within limit: Duration) async -> Problem? {
        let answer = await client.get(path, within: limit)
        guard let answer, answer.isSuccess else {
            switch TwilioErrors.verdict(answer) {
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
