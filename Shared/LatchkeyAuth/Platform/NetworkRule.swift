/// Tells from the system's reports whether the network has come back.
///
/// The first report is the state at the start. After that, a path where there was none is the network back, and so is a path
/// over another interface: the wireless network of a hotel may have answered nothing before.
struct NetworkRule: Sendable {
    /// A report of the system.
    struct Path: Sendable, Equatable {
        let isThere: Bool
        /// The names of the interfaces, the preferred one first.
        let interfaces: [String]
    }
    private var last: Path?

    /// Whether this report says that the network is back.
    mutating func isBack(_ path: Path) -> Bool {
        defer { last = path }
        guard let last, path.isThere else { return false }
        return !last.isThere || last.interfaces.first != path.interfaces.first
    }
}
