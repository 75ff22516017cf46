import InternalAPI

/// The counts that records of otp-service add to those of the hour.
enum AuditTally {
    private static let wordLengthMax = 24

    /// - Parameters:
    ///   - detail: The words of the record: of refusals `operation rule scope count`.
    ///   - tally: `country channel price`, of a message or a code; `nil` if there was none.
    static func counts(event: String?, detail: String?, tally: String?) -> [String: Int64] {
        switch event.flatMap(OTPAuditEvent.init(rawValue:)) {
        case .sent: tallied("codes_sent", tally)
        case .approved: tallied("codes_used", tally)
        case .paid: tallied(nil, tally)
        case .wrongCode: ["sign_ins_refused/code": 1]
        case .refused: refused(detail ?? "")
        default: [:]
        }
    }

    private static func tallied(_ name: String?, _ tally: String?) -> [String: Int64] {
        guard let words = tally?.split(separator: " "), words.count == 3, words[0...1].allSatisfy(isWord) else {
            return [:]
        }
        var counts: [String: Int64] = [:]
        if let name { counts["\(name)/\(words[0])/\(words[1])"] = 1 }
        if let price = Int64(words[2]), price > 0 { counts["spend/\(words[0])"] = price }
        return counts
    }

    private static func refused(_ detail: String) -> [String: Int64] {
        let words = detail.split(separator: " ")
        guard words.count >= 3, let count = words.last.flatMap({ Int64($0) }), count > 0, isWord(words[1]) else {
            return [:]
        }
        return words[0] == "verify" ? ["sign_ins_refused/code": count] : ["limited/\(words[1])": count]
    }

    /// Whether a word may be part of a series' name.
    private static func isWord(_ text: Substring) -> Bool {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789_+".utf8)
        return text.utf8.count <= wordLengthMax && text.utf8.allSatisfy(allowed.contains)
    }
}
