/// The meaning of `ASAuthorizationError`, whose newer codes have names only in newer SDKs.
enum PasskeyFault {
    /// The error of a sheet.
    ///
    /// - Parameters:
    ///   - code: the error's code, or `nil` for another error.
    ///   - texts: the texts beside it. They say if the app is not associated with the domain.
    static func error(_ code: Int?, _ texts: [String]) -> AuthError {
        switch code {
        case 1001: .cancelled
        case 1006: .passkeyExists
        case 1004 where texts.contains { $0.contains("associat") }: refusal("domain_not_associated")
        case 1010: refusal("passkeys_off")
        default: refusal("passkey_failed")
        }
    }

    /// Whether the app has to show its own form in place of the sheet for a new account: the user has closed it, prefers Sign in with
    /// Apple, or has a device that makes no passkeys; or the system handles no such request.
    static func wantsForm(_ code: Int?) -> Bool {
        switch code {
        case 1001, 1003, 1005, 1009, 1010: true
        default: false
        }
    }

    static func refusal(_ code: String) -> AuthError { .refused(status: 0, code: code, requestID: nil) }
}
