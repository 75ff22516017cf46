#if canImport(LocalAuthentication) && !os(watchOS) && !os(tvOS)
import LocalAuthentication

extension LockGate {
    /// Creates a lock that Face ID, Touch ID, Optic ID or the device's passcode opens.
    ///
    /// `NSFaceIDUsageDescription` must be in the app's Info.plist.
    public convenience init(_ rule: LockRule) { self.init(rule, confirm: confirmByDeviceOwner) }
}

/// Asks for Face ID, Touch ID, Optic ID or the passcode, by the system's own dialog.
///
/// - Parameter reason: what the dialog says the confirmation is for.
@Sendable
public func confirmByDeviceOwner(_ reason: String) async -> Confirmation {
    do {
        // The passcode counts as well, so a new fingerprint or a face that is not recognised locks no user out.
        return try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
            ? .confirmed : .declined
    } catch let error as LAError where error.code == .passcodeNotSet {
        return .impossible
    } catch {
        return .declined
    }
}
#endif
