import CCurl

extension SendVerdict {
    /// What became of a mail that was handed to a mail server (RFC 5321 §4.2.1, RFC 3463).
    ///
    /// - Parameter id: the message's, which the mail carries as its `Message-ID`.
    static func ofSMTP(_ dialogue: SMTPDialogue, id: String) -> SendVerdict {
        if dialogue.result == CURLE_OK { return .accepted(id: id) }
        let reply = SMTPReply(dialogue.reply)
        switch dialogue.result {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_USE_SSL_FAILED, CURLE_SSL_CONNECT_ERROR,
            CURLE_SSL_ISSUER_ERROR:
            return .failed(.untrusted)
        case CURLE_LOGIN_DENIED where reply?.isTransient != true: return .failed(.refused)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_RECV_ERROR,
            CURLE_GOT_NOTHING:
            return .retry(afterSeconds: 0, .unreachable)
        default: break
        }
        guard let reply else { return .retry(afterSeconds: 0, .unreachable) }
        if reply.isTransient { return .retry(afterSeconds: 0, .throttled) }
        guard reply.isPermanent else { return .retry(afterSeconds: 0, .badAnswer) }
        return .failed(dialogue.command == "RCPT" && reply.saysNobodyThere ? .undeliverable : .refused)
    }
}

/// A server's reply with its enhanced status, if it gave one (RFC 5321 §4.2, RFC 3463 §2).
struct SMTPReply: Sendable, Equatable {
    private let code: Int
    private let status: String?

    /// Says that the mailbox or its domain does not exist, or takes no mail: another mail would be refused as well.
    ///
    /// Of other refusals, such as 5.7.1, the cause may be ours.
    private static let nobodyThere: Set = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]

    /// - Parameter line: e.g. `550 5.1.1 no such user`; nil when it is no reply.
    init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard let first = words.first, first.utf8.count == 3, let code = Int(first), (200...599).contains(code) else {
            return nil
        }
        self.code = code
        status =
            words.count > 1 && words[1].utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 ? String(words[1]) : nil
    }

    /// May do later.
    var isTransient: Bool { (400...499).contains(code) }
    var isPermanent: Bool { code >= 500 }
    var saysNobodyThere: Bool { isPermanent && status.map(Self.nobodyThere.contains) ?? false }
}
