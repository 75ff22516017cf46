import Glibc

/// Reads a new password. At a terminal it is typed twice and is not shown; otherwise it is a line of standard input.
enum PasswordPrompt {
    private static let lineBytesMax = 4_096

    /// Reads the password.
    ///
    /// - Throws: `CommandFailure` if there is none, or the second one differs.
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let first = try unseen("password: ")
        guard try unseen("repeat password: ") == first else {
            throw CommandFailure(description: "the two passwords differ")
        }
        return first
    }

    private static func line() throws -> String {
        guard let line = readLine(), !line.isEmpty, line.utf8.count <= lineBytesMax else {
            throw CommandFailure(description: "there was no password. Write it as one line to standard input.")
        }
        return line
    }

    /// Reads a line without showing it. The terminal shows typed text again afterwards, even after a failure.
    private static func unseen(_ prompt: String) throws -> String {
        var shown = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw CommandFailure(
                description: "the terminal cannot hide a password. Write it to standard input instead.")
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw CommandFailure(
                description: "the terminal cannot hide a password. Write it to standard input instead.")
        }
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            say("\n")
        }
        say(prompt)
        return try line()
    }

    private static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
