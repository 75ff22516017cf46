import CProcess
import Glibc

/// Keeps the memory of a process, which contains its secrets, from disks and from other processes.
package enum ProcessPrivacy {
    /// Prevents core files after a crash, here and in all processes that this one starts.
    package static func refuseCoreFiles() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Keeps other processes of the same user from reading this one's memory and environment (`PR_SET_DUMPABLE`).
    package static func refuseReaders() { _ = latchkey_set_dumpable(0) }
}
