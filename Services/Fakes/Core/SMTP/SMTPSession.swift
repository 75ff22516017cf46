import FoundationEssentials

/// The replies of a mail server to each line of one connection (RFC 5321 §4, RFC 3207, RFC 4954); without I/O.
struct SMTPSession: Sendable {
    /// The action after a line.
    enum Act: Sendable, Equatable {
        /// The reply is sent; its lines are separated by LF.
        case reply(String)
        /// The reply is sent, and then TLS begins.
        case startTLS(String)
        /// The mail is complete; its reply follows.
        case accept(source: String, from: String, to: [String])
        /// The reply is sent, and then the connection is closed.
        case close(String)
        case nothing
    }

    static let linesMax = 20_000

    let offersTLS: Bool
    private(set) var isSecret = false
    private var sender: String?
    private var recipients: [String] = []
    /// The lines of a mail that is being sent.
    private var mail: [String]?
    /// The number of replies that a sign-in still expects.
    private var signInSteps = 0

    init(offersTLS: Bool) { self.offersTLS = offersTLS }

    static let greeting = "220 localhost ESMTP latchkey-fakes"

    /// Returns the command of the line, such as `RCPT`; `.` for the end of a mail; `nil` within a mail or a sign-in.
    func command(_ line: String) -> String? {
        if mail != nil { return line == "." ? "." : nil }
        return signInSteps > 0 ? nil : String(line.prefix { $0 != " " }).uppercased()
    }

    mutating func take(_ line: String) -> Act {
        if mail != nil { return takeMail(line) }
        if signInSteps > 0 { return takeSignIn() }
        switch command(line) {
        case "EHLO": return .reply(extensions)
        case "HELO": return .reply("250 localhost")
        case "STARTTLS":
            return offersTLS && !isSecret ? .startTLS("220 2.0.0 go ahead") : .reply("454 4.7.0 no TLS here")
        case "AUTH": return signIn(line)
        case "MAIL": return begin(line)
        case "RCPT": return add(line)
        case "DATA":
            guard sender != nil, !recipients.isEmpty else { return .reply("503 5.5.1 no recipient") }
            mail = []
            return .reply("354 end with a dot")
        case "RSET":
            forget()
            return .reply("250 2.0.0 forgotten")
        case "NOOP": return .reply("250 2.0.0 nothing done")
        case "QUIT": return .close("221 2.0.0 bye")
        default: return .reply("502 5.5.2 no such command")
        }
    }

    /// Notes that TLS has begun, which resets all earlier state (RFC 3207 §4.2).
    mutating func becomeSecret() {
        forget()
        isSecret = true
    }

    private var extensions: String {
        let lines = [
            "250-localhost", offersTLS && !isSecret ? "250-STARTTLS" : nil, "250-AUTH PLAIN LOGIN", "250 8BITMIME",
        ]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }

    private mutating func forget() { (sender, recipients, mail) = (nil, [], nil) }

    /// Accepts any sign-in, since it is a fake.
    private mutating func signIn(_ line: String) -> Act {
        let words = line.split(separator: " ")
        switch words.dropFirst().first?.uppercased() {
        case "PLAIN" where words.count > 2: return .reply("235 2.7.0 welcome")
        case "PLAIN":
            signInSteps = 1
            return .reply("334 ")
        case "LOGIN":
            signInSteps = words.count > 2 ? 1 : 2
            return .reply(signInSteps == 2 ? "334 VXNlcm5hbWU6" : "334 UGFzc3dvcmQ6")
        default: return .reply("504 5.5.4 PLAIN or LOGIN")
        }
    }

    private mutating func takeSignIn() -> Act {
        signInSteps -= 1
        return .reply(signInSteps == 0 ? "235 2.7.0 welcome" : "334 UGFzc3dvcmQ6")
    }

    private mutating func begin(_ line: String) -> Act {
        guard let address = Self.address(line) else { return .reply("501 5.5.4 MAIL FROM:<address>") }
        forget()
        sender = address
        return .reply("250 2.1.0 from")
    }

    private mutating func add(_ line: String) -> Act {
        guard sender != nil, let address = Self.address(line) else { return .reply("501 5.5.4 RCPT TO:<address>") }
        recipients.append(address)
        return .reply("250 2.1.5 to")
    }

    private mutating func takeMail(_ line: String) -> Act {
        guard line == "." else {
            if let count = mail?.count, count < Self.linesMax {
                mail?.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
            }
            return .nothing
        }
        defer { forget() }
        return .accept(source: (mail ?? []).joined(separator: "\r\n") + "\r\n", from: sender ?? "", to: recipients)
    }

    private static func address(_ line: String) -> String? {
        guard let start = line.firstIndex(of: "<"), let end = line.firstIndex(of: ">"), start < end else { return nil }
        return String(line[line.index(after: start)..<end])
    }
}
