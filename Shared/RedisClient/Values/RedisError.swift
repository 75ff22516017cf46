/// Why a command has no reply value.
package struct RedisError: Error, Sendable, Equatable {
    /// The kinds of failure that a caller can act on; the raw value is the label of the metric.
    package enum Code: String, Sendable, CaseIterable {
        /// No connection was there within the command's time, or the client has ended; nothing was sent.
        case notConnected = "not_connected"
        /// No reply came within the command's time.
        case timeout
        /// The connection ended before the reply was complete.
        case connectionLost = "connection_lost"
        /// Redis answered with an error; `replyPrefix` tells which.
        case reply
        /// The reply broke the protocol or a limit on its size or depth.
        case protocolViolation = "protocol_violation"
        /// As many commands as allowed are already waiting for replies.
        case tooManyPending = "too_many_pending"
        /// Redis refused the user or password.
        case authenticationFailed = "authentication_failed"
        /// The calling task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    package let code: Code
    /// Text for the log: Redis' own words for `.reply`, ours otherwise; never an argument of the command.
    package let message: String
    /// True when the command may have reached Redis, so that its effect is unknown; for `.reply` Redis did answer.
    package let wasSent: Bool

    package init(_ code: Code, _ message: String, wasSent: Bool = false) {
        self.code = code
        self.message = message
        self.wasSent = wasSent
    }

    /// The first word of an error reply, such as `NOPERM`, `WRONGTYPE`, `OOM`, `LOADING` or `READONLY`.
    package var replyPrefix: Substring? {
        code == .reply ? message.prefix { $0 != " " } : nil
    }

    /// The same failure for a request that had, or had not, been written.
    func sent(_ wasSent: Bool) -> RedisError {
        RedisError(code, message, wasSent: wasSent)
    }
}

extension RedisError {
    /// The longest text of Redis that is kept, in bytes.
    private static let replyMessageBytesMax = 256
    /// Redis repeats the arguments of an unknown command after these words, and they may be secret.
    private static let argumentsMark = ", with args beginning with"

    /// The error for an error reply with this text.
    static func reply(_ text: some Collection<UInt8>) -> RedisError {
        let message = String(decoding: text.prefix(replyMessageBytesMax), as: UTF8.self)
        guard let mark = message.firstRange(of: argumentsMark) else {
            return RedisError(.reply, message, wasSent: true)
        }
        return RedisError(.reply, String(message[..<mark.lowerBound]), wasSent: true)
    }
}

/// The answer to one command of a pipeline.
package typealias RedisReply = Result<RedisValue, RedisError>
