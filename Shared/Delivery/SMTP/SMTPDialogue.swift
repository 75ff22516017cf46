import CCurl

/// The dialogue with a mail server about one mail: the last command and its reply.
struct SMTPDialogue: Sendable, Equatable {
    /// libcurl's result.
    var result: CURLcode
    /// The progress of the connection.
    var progress = Progress.none
    /// The verb of the last command, e.g. `RCPT`, or `.` for the mail itself; empty before the first.
    private(set) var command = ""
    /// Whether any of the mail's text was sent: a repeat after that may deliver it twice.
    private(set) var hasSentMail = false

    /// The steps of a new connection.
    enum Progress: Sendable, Equatable {
        case none
        /// The server's name has an address.
        case found
        case connected
        case secret
    }

    /// The reply to the last command, line by line; empty while there is none.
    private var lines: [String] = []
    private var isReplyWhole = true
    private var isOver = false

    private static let (lineLengthMax, lineCountMax) = (256, 4)

    init(result: CURLcode) { self.result = result }

    /// Creates a dialogue for tests.
    init(result: CURLcode, command: String, reply: String, progress: Progress = .secret) {
        (self.result, self.command, self.progress) = (result, command, progress)
        lines = reply.isEmpty ? [] : [reply]
    }

    /// The reply in one line, e.g. `550 5.1.1 no such user`; empty if there is none.
    var reply: String {
        guard let first = lines.first else { return "" }
        let start =
            first.utf8.dropFirst(3).first == UInt8(ascii: "-") ? first.prefix(3) + " " + first.dropFirst(4) : first[...]
        return ([String(start)] + lines.dropFirst().map { String($0.dropFirst(4)) }).joined(separator: " ")
    }

    /// The reply that was awaited, in the operator's words.
    var awaited: String {
        switch (command, progress) {
        case ("", .none): "no address of the server's name"
        case ("", .found): "no connection or TLS handshake"
        case ("", .connected): "connected, but no greeting"
        case ("", .secret): "no greeting"
        case ("STAR", _) where !lines.isEmpty: "no TLS handshake after STARTTLS"
        case ("STAR", _): "no reply to STARTTLS"
        case (".", _): "no reply to the mail"
        default: "no reply to \(command)"
        }
    }

    /// The stage that `reply` belongs to.
    var stage: String {
        switch command {
        case "": "greeting"
        case "STAR": "STARTTLS"
        case ".": "mail"
        default: command
        }
    }

    /// Notes a line that libcurl reports; of commands only the verb is kept, since a password may follow it.
    mutating func note(_ kind: curl_infotype, _ text: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        switch kind {
        case CURLINFO_HEADER_OUT:
            let verb = unsafe Self.verb(text)
            // The end of the connection does not affect the mail's outcome.
            isOver = verb == "QUIT"
            if !isOver { begin(verb) }
        case CURLINFO_HEADER_IN: unsafe noteReply(text)
        case CURLINFO_DATA_OUT:
            if command != "." { begin(".") }
            hasSentMail = true
        default: break
        }
    }

    private mutating func begin(_ verb: String) { (command, lines, isReplyWhole) = (verb, [], true) }

    private mutating func noteReply(_ text: UnsafeRawBufferPointer) {
        let line = unsafe Array(text.prefix(Self.lineLengthMax).prefix { $0 != 0x0D && $0 != 0x0A })
        if isReplyWhole { lines = [] }
        // The first line of a long reply is as decisive as the last one.
        if lines.count < Self.lineCountMax { lines.append(String(decoding: line, as: UTF8.self)) }
        isReplyWhole = line.dropFirst(3).first != UInt8(ascii: "-")
    }

    /// Returns the verb if the line is a command of ours; responses to `AUTH` contain secrets and are not kept.
    private static func verb(_ text: UnsafeRawBufferPointer) -> String {
        let verb = unsafe String(decoding: text.prefix(4), as: UTF8.self)
        return ["EHLO", "HELO", "STAR", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"].contains(verb) ? verb : "AUTH"
    }
}
