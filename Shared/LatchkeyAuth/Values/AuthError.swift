public import Foundation

/// The reason why a call failed.
///
/// Only ``signedOut(_:)`` and ``accountInactive`` mean that the user has to sign in again. After every other error the
/// session is still there.
public enum AuthError: Error, Sendable, Equatable {
    /// No session exists. The reason is known if one ended while this app was installed.
    case signedOut(SignOutReason?)
    /// The store cannot be read or written at present, such as before the first unlock of a phone.
    case storeUnavailable(StoreTrouble)
    /// No connection, no DNS, a reset, or a response that was cut off.
    case offline
    /// No response within the library's own limit of 20 seconds.
    case timedOut
    /// The server's certificate is not trusted, or the base URL is `http` where only `https` is allowed.
    case untrustedServer
    /// The server answered with 500 to 599.
    case unavailable(retryAfter: Duration?)
    /// The server answered with 429. The limit is `nil` if the server does not tell which.
    case rateLimited(RateLimit?, retryAfter: Duration)
    /// An access token was refused although it had just been renewed. A newer one would be refused as well.
    case refusedAgain
    /// The response is not Latchkey's, such as the sign-in page of a hotel's network.
    case notLatchkey
    /// The code, link or ``RestoreToken`` is wrong, used or too old; `nil` if the server does not tell which.
    case codeRefused(CodeRefusal?)
    /// The email address or the password is wrong.
    case passwordRefused
    /// The server does not accept a value. `field` is what to mark on the screen; `code` is stable.
    case invalid(field: String, code: String)
    /// The account was deactivated.
    case accountInactive
    /// Only invited people can have an account.
    case notInvited
    /// The account is scheduled for deletion. ``LatchkeyAuth/restore(_:)`` cancels that, if there is a token for it.
    case deletionScheduled(RestoreToken?)
    /// The server's policy does not offer this way to sign in.
    case methodNotOffered
    /// The user has to show again who they are: see ``LatchkeyAuth/onReauthenticate(_:)``.
    case reauthenticationRequired
    /// The code, password or identity token does not show who the user is: it is wrong, used, too old, or another person's.
    case reauthenticationFailed
    /// Another account has the identity. ``LatchkeyAuth/merge(_:keepPhone:proof:)`` joins it, if there is a token for that.
    case identityInUse(MergeToken?)
    /// Another device has changed what signs the user in at the same time.
    case identityChanged
    /// Without this identity the user could not sign in any more.
    case lastIdentity
    /// The phone number becomes the user's at this time, and signs in from then on.
    case phoneChangePending(movesAt: Date?)
    /// The number may have another owner by now. The user can sign in by one of these methods instead.
    case secondIdentityRequired(methods: [String])
    /// The other account of a merge has more than was verified. One of these methods shows that it is the user's:
    /// ``LatchkeyAuth/merge(_:keepPhone:proof:)``.
    case mergeProofRequired(methods: [String])
    /// The server does not accept the passkey: it was removed, or the user has taken too long.
    case passkeyRefused
    /// This device has a passkey of the account already.
    case passkeyExists
    /// The user has as many passkeys as the server's policy allows.
    case tooManyPasskeys
    /// The sign-in needs a second factor: ``LatchkeyAuth/signInWithSecondFactor(_:_:)``. The user has one of these methods: `totp`,
    /// `passkey`, `recovery`.
    case secondFactorRequired(MfaToken, methods: [String])
    /// The second factor is wrong or used, or the sign-in that it is for is too old.
    case secondFactorRefused
    /// The identity was added or changed lately, and support has not confirmed it yet.
    case accountUnderReview
    /// Any other refusal. `code` is stable; `requestID` finds the request in the server's logs.
    case refused(status: Int, code: String, requestID: String?)
    /// The task of the caller was cancelled.
    case cancelled

    /// Whether the session is still there.
    public var keepsSession: Bool {
        switch self {
        case .signedOut, .accountInactive: false
        default: true
        }
    }

    /// Whether the same call may succeed later without any change by the user.
    public var isWorthRetrying: Bool {
        switch self {
        case .storeUnavailable, .offline, .timedOut, .unavailable, .rateLimited, .notLatchkey: true
        default: false
        }
    }

    /// The time that the server asks to wait.
    var retryAfter: Duration? {
        switch self {
        case .unavailable(let wait): wait
        case .rateLimited(_, let wait): wait
        default: nil
        }
    }
}

/// The server's permission to join another account to the user's own, for ten minutes.
public struct MergeToken: Sendable, Equatable {
    /// The token as text.
    public let text: String

    /// Creates the token of a response that the app has received itself.
    public init(_ text: String) { self.text = text }
}

/// Prints no token.
extension MergeToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "MergeToken(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reason why a code was refused, by the server's name.
public enum CodeRefusal: String, Sendable, Equatable {
    /// The code is not the one that was sent. The user can try again.
    case wrong = "invalid_code"
    /// The code is too old, or was used or guessed too often. The user needs another one.
    case expired = "code_expired"
}

/// The limit that was reached, by the server's name.
public enum RateLimit: String, Sendable, Equatable {
    /// The user is locked out after wrong codes or passwords.
    case locked = "lockout"
    /// Too many codes were sent.
    case sends
    /// Too many requests came.
    case requests
}

/// The reason why a session ended.
public enum SignOutReason: String, Sendable, Equatable, CaseIterable {
    /// The user signed out here.
    case asked
    /// The user signed out in another process that shares the store.
    case elsewhere
    /// The server ended the session: signed out on another device, by an administrator, or by a change of the password.
    case ended
    /// The session had not been used for too long.
    case expired
    /// A refresh token was used twice, which the server takes for theft.
    case reused
    /// The account was deactivated.
    case inactive
    /// The account was deleted.
    case deleted
    /// The stored session cannot be used: it is damaged, or a later release wrote it.
    case storageLost
    /// The app was installed again, and what an earlier installation had left was erased.
    case newInstallation
}

/// The reason why the store did not answer.
public enum StoreTrouble: Sendable, Equatable {
    /// The device has not been unlocked since it started.
    case protectedData
    /// The system refused access, with this error number.
    case denied(Int)
    /// Reading failed.
    case unreadable
    /// Writing failed.
    case unwritable
}
