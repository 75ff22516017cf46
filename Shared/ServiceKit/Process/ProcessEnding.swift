import Policies

/// How a process ends that does not end by a signal to stop.
package enum ProcessEnding: Int32 {
    /// It may do better when it is started again: a port still taken, a full disk.
    case failure = 1
    /// It was called with an option that it does not have (sysexits: EX_USAGE).
    case wrongUsage = 64
    /// A setting, a secret or the policy is wrong. Each start ends so until it is corrected (sysexits: EX_CONFIG).
    case wrongSettings = 78

    /// The status for what ended the process.
    package init(_ error: any Error) {
        self = error is SettingsError || error is PolicyError ? .wrongSettings : .failure
    }
}
