/// The release of this Latchkey; the version is stated only here.
package enum Release {
    /// `major.minor.patch`. `deploy/docs/changes.md` begins with this version and describes its changes for operators.
    package static let version = "0.6.0"
}
