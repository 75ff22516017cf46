/// The server's permission to cancel the deletion of an account, for ten minutes.
public struct RestoreToken: Sendable, Equatable {
    /// The token as text.
    public let text: String

    /// Creates the token of a response that the app has received itself.
    public init(_ text: String) { self.text = text }
}

/// Prints no token.
extension RestoreToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "RestoreToken(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
