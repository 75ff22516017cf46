/// Why a command has no reply.
package struct RedisError: Error, Sendable, Equatable {
    /// The kinds of failure that a caller can act on; the raw value is the label of the metric.
    package enum Code: String, Sendable, CaseIterable {
        /// There was no connection within the command's time, or the client was shut down; nothing was sent.
        case notConnected = "not_connected"
        /// No reply arrived within the command's time.
        case timeout
        /// The connection closed before the reply was complete.
        case connectionLost = "connection_lost"
        /// Redis replied with an error, identified by `replyPrefix`.
        case reply
        /// The reply broke the protocol or a limit on its size or depth.
        case protocolViolation = "protocol_violation"
        /// The maximum number of commands is already waiting for replies.
        case tooManyPending = "too_many_pending"
        /// Redis refused the user or password.
        case authenticationFailed = "authentication_failed"
        /// The calling task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    package let code: Code
    /// The text for the log: Redis' own message for `.reply`, ours otherwise; never an argument of the command.
    package let message: String
    /// Whether the command may have reached Redis, so that its effect is unknown; always `true` for `.reply`.
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

    /// Returns the same failure for a request that had, or had not, been written.
    func sent(_ wasSent: Bool) -> RedisError {
        RedisError(code, message, wasSent: wasSent)
    }
}

extension RedisError {
    /// The maximum length in bytes of a message from Redis that is kept.
    private static let replyMessageBytesMax = 256
    /// Redis repeats the arguments of an unknown command after these words, and they may be secret.
    private static let argumentsMark = ", with args beginning with"

    /// Creates the error for an error reply with this text.
    static func reply(_ text: some Collection<UInt8>) -> RedisError {
        let message = String(decoding: text.prefix(replyMessageBytesMax), as: UTF8.self)
        guard let mark = message.firstRange(of: argumentsMark) else {
            return RedisError(.reply, message, wasSent: true)
        }
        return RedisError(.reply, String(message[..<mark.lowerBound]), wasSent: true)
    }
}

/// The reply to one command of a pipeline.
package typealias RedisReply = Result<RedisValue, RedisError>
