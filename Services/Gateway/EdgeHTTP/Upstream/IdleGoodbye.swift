import NIOCore

/// Recognises the one message that may arrive on an idle connection.
enum IdleGoodbye {
    private static let limits = HeaderBlock.Limits(bytesMax: 1024, fieldsMax: 32)

    /// Whether `bytes` begin with a 408 that announces the connection's end. Balancers send it before they close a connection that
    /// has been idle for too long (RFC 9110 section 15.5.9).
    static func isGoodbye(_ bytes: ByteBuffer) -> Bool {
        var parser = ResponseHeadParser(limits: limits)
        var rest = bytes
        do throws(HTTPViolation) {
            guard let head = try parser.next(from: &rest, isHEAD: false) else { return false }
            return head.status == 408 && !head.keepsAlive
        } catch {
            return false
        }
    }
}

extension Replica {
    /// Checks unsolicited bytes, which could be taken for the response to the next request.
    func judgeUnsolicited(_ bytes: ByteBuffer) {
        if !IdleGoodbye.isGoodbye(bytes) { didDesynchronise(now: .now()) }
    }
}
