/// The reaction to a sign-in from an unknown device in an unknown network.
package enum AnomalyPolicy: String, Sendable, CaseIterable {
    /// Devices and networks of sign-ins are not recorded.
    case off
    /// It is recorded and counted.
    case record
    /// The user is notified too.
    case notify
}
