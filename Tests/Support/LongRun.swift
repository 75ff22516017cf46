import FoundationEssentials

/// Whether attacks are run in full (`deploy/attack`) or in the short form of the suite.
package enum LongRun {
    /// `LATCHKEY_LONG_TESTS=1`.
    package static let isOn = ProcessInfo.processInfo.environment["LATCHKEY_LONG_TESTS"] == "1"

    /// Prints the results of a run for people; the suite's short form prints nothing.
    package static func report(_ text: String) { if isOn { print(text) } }
}
