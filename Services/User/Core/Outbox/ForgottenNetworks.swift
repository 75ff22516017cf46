import InternalAPI

extension OutboxSeal {
    /// Creates a message that makes otp-service forget the networks of a user's sign-ins, and invalidate earlier codes.
    ///
    /// - Parameters:
    ///   - networksUntil: the last day of the sign-ins whose networks are forgotten, as Unix time in seconds; 0 for none.
    ///   - codesUntil: the time of the last request whose code is invalidated, in Unix seconds; `nil` if all codes stay valid.
    func forgetting(
        _ user: UserID, phone: String?, email: String?, networksUntil: Int64, codesUntil: Int64? = nil
    ) throws -> OutboxMessage {
        let request = ForgetNetworksRequest(
            phone: phone, email: email, until: networksUntil, codesUntil: codesUntil)
        return try message(.forgetNetworks, encoding: request, about: user)
    }
}
