import EmailAddresses
import ServiceKit

/// A mail in the form sent after `DATA`, in lines that end with CR LF (RFC 5322, RFC 2046 §5.1.4).
struct MailText: Sendable {
    let from: MailFrom
    let message: Message
    /// Unix time in seconds.
    let sentAt: Int64

    /// Returns header and body; every byte is ASCII, so that any server accepts it.
    ///
    /// - Throws: `DeliveryFailure.badAnswer` for a value that contains a line end.
    func bytes() throws(DeliveryFailure) -> [UInt8] {
        let lines = try header() + [""] + body
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The `Message-ID`, the same for every attempt, so that a receiver can recognise a repeat.
    var messageID: String { "<\(message.id)@\(from.address.domain)>" }

    private func header() throws(DeliveryFailure) -> [String] {
        let fields = [
            ("From", from.header(after: "From: ".utf8.count)), ("To", message.recipient),
            ("Subject", EncodedWords.text(message.content.subject ?? "", after: "Subject: ".utf8.count)),
            ("Date", WordedDate.text(sentAt, zone: "+0000")), ("Message-ID", messageID), ("MIME-Version", "1.0"),
            // Keeps vacation responders from replying (RFC 3834 §5).
            ("Auto-Submitted", "auto-generated"), ("X-Auto-Response-Suppress", "All"),
            // Resend's own server recognises a repeat by it (integration guide 2.2).
            ("Resend-Idempotency-Key", message.id),
            ("Content-Type", "multipart/alternative; boundary=\"\(boundary)\""),
        ]
        var lines: [String] = []
        for (name, value) in fields {
            let folded = value.replacing("\r\n ", with: "")
            guard !folded.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { throw .badAnswer }
            lines.append("\(name): \(value)")
        }
        return lines
    }

    /// The alternatives of the text: clients that can show HTML do, since they prefer the last alternative.
    private var body: [String] {
        let parts = [("plain", message.content.text)] + (message.content.html.map { [("html", $0)] } ?? [])
        return parts.flatMap { kind, text in
            [
                "--\(boundary)", "Content-Type: text/\(kind); charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable", "", QuotedPrintable.text(text),
            ]
        } + ["--\(boundary)--"]
    }

    /// The boundary occurs in no line of ours: quoted-printable writes `=` as `=3D`.
    private var boundary: String { "=_\(message.id)" }
}

/// Text in lines of at most 76 ASCII characters (RFC 2045 §6.7).
enum QuotedPrintable {
    private static let lineLengthMax = 76
    private static let digits = Array("0123456789ABCDEF")

    /// - Parameter text: The text, in lines that end with LF.
    static func text(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\r\n")
    }

    static func escape(_ byte: UInt8) -> String { "=\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])" }

    private static func line(_ line: Substring) -> String {
        var lines = [""]
        let bytes = Array(line.utf8)
        for (index, byte) in bytes.enumerated() {
            let isLast = index == bytes.count - 1
            let encoded = encoded(byte, isLast: isLast)
            // One character is reserved for the `=` of a soft break.
            if lines[lines.count - 1].utf8.count + encoded.utf8.count > lineLengthMax - (isLast ? 0 : 1) {
                lines[lines.count - 1] += "="
                lines.append("")
            }
            lines[lines.count - 1] += encoded
        }
        return lines.joined(separator: "\r\n")
    }

    /// A space at the end of a line is encoded, since it could get lost.
    private static func encoded(_ byte: UInt8, isLast: Bool) -> String {
        let isBlank = byte == 0x20 || byte == 0x09
        let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || isBlank && !isLast
        return isPlain ? String(UnicodeScalar(byte)) : escape(byte)
    }
}
