/// Which Latchkey this is: the one place that says so.
package enum Release {
    /// `major.minor.patch`. `deploy/docs/changes.md` begins with this version and says what it changes for operators.
    package static let version = "0.6.0"
}
