import Glibc

/// The one supervisor of a data directory: a lock that the kernel gives back however the holder ends.
struct SupervisorLock: ~Copyable {
    private let file: Int32

    /// Locks the file and writes our process id into it.
    init(_ path: String) throws(StartFailure) {
        file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StartFailure("cannot open \(path): error \(errno)") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = StateFile.read(path) ?? ""
            close(file)
            throw StartFailure(
                "another supervisor (process \(holder.filter(\.isNumber))) runs on this data directory; "
                    + "choose another one with LATCHKEY_DATA_DIR or stop it")
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, unsafe write(file, text, text.count) == text.count else {
            throw StartFailure("cannot write \(path): error \(errno)")
        }
    }

    deinit { close(file) }
}
