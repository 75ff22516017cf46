import CCurl
import OutgoingConnections

extension SendVerdict {
    /// Returns the outcome of passing a mail to a mail server (RFC 5321 §4.2.1, RFC 3463).
    ///
    /// - Parameters:
    ///     - id: The message's id, which is the mail's `Message-ID`.
    ///     - recipient: The address that the mail goes to.
    ///     - secrets: Texts that a server may repeat, and that must not be shown.
    static func ofSMTP(_ dialogue: SMTPDialogue, id: String, recipient: String, secrets: [String] = []) -> SendVerdict {
        if dialogue.result == CURLE_OK { return .accepted(id: id) }
        func failure(_ reason: DeliveryFailure.Reason, _ text: String? = nil) -> DeliveryFailure {
            var failure = DeliveryFailure(reason)
            let said = dialogue.reply.isEmpty ? nil : "\(dialogue.stage): \(dialogue.reply)"
            failure.detail = (text ?? said).map { ReplyText.safe($0, without: recipient, secrets: secrets) }
            return failure
        }
        let reply = SMTPReply(dialogue.reply)
        switch dialogue.result {
        case CURLE_LOGIN_DENIED where reply?.isTransient != true: return .failed(failure(.refused))
        // The limit was the time for all attempts.
        case CURLE_OPERATION_TIMEDOUT:
            return .failed(failure(.connection(dialogue.isGreeted ? .timedOut : .connectTimedOut), dialogue.awaited))
        default: break
        }
        if let lost = dialogue.failure {
            // The server may have given the reason why it closed the connection.
            let text = lost == .closed && reply == nil ? "connection closed: \(dialogue.awaited)" : nil
            return .lost(failure(.connection(lost), lost == .nameNotFound ? dialogue.awaited : text))
        }
        guard let reply else { return .retry(afterSeconds: 0, failure(.connection(.closed))) }
        if reply.isTransient { return .retry(afterSeconds: 0, failure(.throttled)) }
        guard reply.isPermanent else { return .retry(afterSeconds: 0, failure(.badAnswer)) }
        return .failed(failure(dialogue.command == "RCPT" && reply.isUnknownRecipient ? .undeliverable : .refused))
    }
}

extension SMTPDialogue {
    /// The failure of the connection, or `nil` if there is none, or it ran out of time.
    fileprivate var failure: ConnectionFailure? {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
        case CURLE_COULDNT_CONNECT: .refused
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .untrustedCertificate
        case CURLE_USE_SSL_FAILED, CURLE_SSL_CONNECT_ERROR: .handshakeFailed
        case CURLE_RECV_ERROR, CURLE_GOT_NOTHING: .closed
        // The library uses this for a refusal too, which has a reply.
        case CURLE_SEND_ERROR where reply.isEmpty: .closed
        default: nil
        }
    }

    /// Whether the server has greeted, and TLS is not awaited, so that the connection was complete.
    fileprivate var isGreeted: Bool { !["", "STAR"].contains(command) }
}

/// A server's reply with its enhanced status, if it gave one (RFC 5321 §4.2, RFC 3463 §2).
struct SMTPReply: Sendable, Equatable {
    private let code: Int
    private let status: String?
    private let text: String

    /// The mailbox or its domain does not exist, or accepts no mail: another mail would be refused as well.
    ///
    /// Other refusals, such as 5.7.1, may be our own fault.
    private static let unknownRecipient: Set = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.1"]

    /// - Parameter line: A reply, e.g. `550 5.1.1 no such user`; the result is `nil` if it is malformed.
    init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard let first = words.first, first.utf8.count == 3, let code = Int(first), (200...599).contains(code) else {
            return nil
        }
        self.code = code
        status = words.count > 1 && Self.isStatus(words[1]) ? String(words[1]) : nil
        text = words.dropFirst().joined(separator: " ").lowercased()
    }

    /// Whether a later attempt may succeed.
    var isTransient: Bool { (400...499).contains(code) }
    var isPermanent: Bool { code >= 500 }

    var isUnknownRecipient: Bool {
        guard isPermanent else { return false }
        guard let status else { return code == 550 && !refusesRelaying }
        return Self.unknownRecipient.contains(status)
    }

    /// Whether the server refuses to relay for us, which a 550 without a status can mean too; that applies to every
    /// recipient.
    private var refusesRelaying: Bool { text.contains("relay") }

    /// Whether the word is an enhanced status, e.g. `5.1.1`.
    private static func isStatus(_ word: Substring) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
