import Glibc

/// The lock that allows one supervisor per data directory. The kernel releases it however the process exits.
struct SupervisorLock: ~Copyable {
    private let file: Int32

    /// Locks the file and writes this process's id into it.
    init(_ path: String) throws(StartFailure) {
        file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system("open \(path)", error: errno, setting: "LATCHKEY_DATA_DIR") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = StateFile.read(path) ?? ""
            close(file)
            throw StartFailure(
                "LATCHKEY_DATA_DIR: another supervisor (process \(holder.filter(\.isNumber))) uses this data directory. Stop "
                    + "it, or name another directory.")
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, unsafe write(file, text, text.count) == text.count else {
            throw .system("write \(path)", error: errno, setting: "LATCHKEY_DATA_DIR")
        }
    }

    deinit { close(file) }
}
