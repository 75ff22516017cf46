/// The error that makes a command exit with status 1 and one line on standard error.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}
