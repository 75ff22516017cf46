/// E-mail addresses that users say are theirs, until somebody proves one.
///
/// They open nothing, stand in no claim and no profile, and keep nobody from anything: the first who proves an address has
/// it (`SignInRule`).
package protocol UnprovedAddressStore: Sendable {
    /// Notes that `user` says that the address is his, unless somebody has proved it or said so before.
    ///
    /// - Parameter address: in its one spelling.
    /// - Returns: whether it is noted, now or already.
    func claim(_ address: String, for user: UserID, now: Int64) async throws -> Bool
}
