import CCurl

/// What was said between us and a mail server over one mail, as far as it matters: the last command and its reply.
struct SMTPDialogue: Sendable, Equatable {
    /// What libcurl made of it.
    var result: CURLcode
    /// The verb of the last command, e.g. `RCPT`; empty before the first.
    private(set) var command = ""
    /// The last line of the last reply, e.g. `550 5.1.1 no such user`.
    private(set) var reply = ""
    /// Whether any of the mail's text went out: whoever repeats after that may send it twice.
    private(set) var hasSentMail = false

    private var isOver = false

    private static let replyLengthMax = 256

    init(result: CURLcode) { self.result = result }

    /// For tests.
    init(result: CURLcode, command: String, reply: String) {
        (self.result, self.command, self.reply) = (result, command, reply)
    }

    /// Notes a line that libcurl reports; of commands the verb alone, since what follows may be a password.
    mutating func note(_ kind: curl_infotype, _ text: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        switch kind {
        case CURLINFO_HEADER_OUT:
            let verb = unsafe Self.verb(text)
            // How the connection ends says nothing of the mail.
            isOver = verb == "QUIT"
            if !isOver { command = verb }
        case CURLINFO_HEADER_IN:
            let line = unsafe text.prefix(Self.replyLengthMax).prefix { $0 != 0x0D && $0 != 0x0A }
            reply = unsafe String(decoding: line, as: UTF8.self)
        case CURLINFO_DATA_OUT: hasSentMail = true
        default: break
        }
    }

    /// Only what is a command of ours: of `AUTH`'s answers, which are secrets, nothing stays.
    private static func verb(_ text: UnsafeRawBufferPointer) -> String {
        let verb = unsafe String(decoding: text.prefix(4), as: UTF8.self)
        return ["EHLO", "HELO", "STAR", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"].contains(verb) ? verb : "AUTH"
    }
}
