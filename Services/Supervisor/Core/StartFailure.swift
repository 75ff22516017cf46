/// Why the stack cannot run; the message is shown to the person who started it.
package struct StartFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
