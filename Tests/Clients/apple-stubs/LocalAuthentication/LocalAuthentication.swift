public import Foundation

// The declarations of LocalAuthentication that the library uses. What the user does is in `StubUser`.

public enum LAPolicy: Int, Sendable {
    case deviceOwnerAuthenticationWithBiometrics = 1
    case deviceOwnerAuthentication = 2
}

public struct LAError: Error, Sendable {
    public enum Code: Int, Sendable {
        case authenticationFailed = -1
        case userCancel = -2
        case userFallback = -3
        case systemCancel = -4
        case passcodeNotSet = -5
        case biometryNotAvailable = -6
        case biometryNotEnrolled = -7
        case biometryLockout = -8
        case appCancel = -9
        case invalidContext = -10
        case notInteractive = -1004
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}

open class LAContext {
    public init() {}

    public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        precondition(!localizedReason.isEmpty, "the system ends an app that gives no reason")
        return try StubUser.answer.get()
    }
}

/// The user in front of the stub device.
public enum StubUser {
    // Touched only while `lock` is held.
    nonisolated(unsafe) private static var next: Result<Bool, LAError> = .success(true)
    private static let lock = NSLock()

    public static var answer: Result<Bool, LAError> {
        get { lock.withLock { next } }
        set { lock.withLock { next = newValue } }
    }
}
