import Glibc

/// The reason why the stack cannot run; the message is shown to the person who started it.
package struct StartFailure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Returns the error that another program listens on a port.
    static func portTaken(_ port: UInt16, _ variable: String) -> StartFailure {
        StartFailure("\(variable): port \(port) is in use by another program. Stop it, or choose another port.")
    }

    /// Returns the error of a call of the system that failed.
    ///
    /// - Parameters:
    ///   - what: The action that failed; the text follows "cannot ".
    ///   - setting: The variable that contains the path.
    static func system(_ what: String, error: Int32, setting: String? = nil) -> StartFailure {
        let text = "cannot \(what): \(unsafe String(cString: strerror(error)))."
        return StartFailure(setting.map { "\($0): \(text) Name another place, or correct this one." } ?? text)
    }
}
