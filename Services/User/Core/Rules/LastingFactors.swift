import InternalAPI

extension UserFacts {
    /// The factors of a session's last proof that a thief of the phone number does not have. A password counts only if it is older than a
    /// Unix time in seconds, since a code suffices to set one.
    func lasting(_ factors: AuthenticationFactors, changedBefore time: Int64) -> AuthenticationFactors {
        let isOldPassword = password.map { $0.changedAt ?? .min < time } ?? false
        return factors.intersection(isOldPassword ? [.pop, .otp, .pwd] : [.pop, .otp])
    }
}
