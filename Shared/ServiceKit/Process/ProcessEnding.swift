import Policies

/// The exit status of a process that exits without a signal to stop.
package enum ProcessEnding: Int32 {
    /// Another start may succeed: the port was in use, or the disk was full.
    case failure = 1
    /// The command line has an option that the process does not know (sysexits: EX_USAGE).
    case wrongUsage = 64
    /// A setting, a secret or the policy is wrong. Each start fails in the same way until it is corrected (sysexits:
    /// EX_CONFIG).
    case wrongSettings = 78

    /// Creates the status for the error that stopped the process.
    package init(_ error: any Error) {
        self = error is SettingsError || error is PolicyError ? .wrongSettings : .failure
    }
}
