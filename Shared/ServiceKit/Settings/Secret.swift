/// A value that is never printed.
package struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The secret itself, for the code that needs it.
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package var description: String { "‹redacted›" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
