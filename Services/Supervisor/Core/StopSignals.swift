import Glibc

/// The signals that stop the stack (Ctrl-C, SIGTERM, a closed terminal), and the one that reports the exit of a child.
///
/// They are blocked, and fetched when the supervisor is ready for them, so that no code runs inside a signal handler.
struct StopSignals {
    private var awaited = sigset_t()

    /// Blocks the signals; must be called before anything else runs.
    init() {
        unsafe sigemptyset(&awaited)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGCHLD] { unsafe sigaddset(&awaited, number) }
        unsafe sigprocmask(SIG_BLOCK, &awaited, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits at most `milliseconds`, less if a child exits; returns true if the stack is to stop.
    mutating func wait(milliseconds: Int) -> Bool {
        var information = unsafe siginfo_t()
        var limit = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let number = unsafe sigtimedwait(&awaited, &information, &limit)
        return number > 0 && number != SIGCHLD
    }
}
