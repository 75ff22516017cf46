import CryptoPrimitives
import InternalAPI
import Synchronization

/// The newest messages, in memory only.
final class MessageBox: Sendable {
    /// The greatest number of messages. Beyond it each new one replaces the oldest.
    static let messagesMax = 500

    private struct State {
        /// The messages, newest first.
        var messages: [ReceivedMessage] = []
        var changes = 0
    }

    private let instance = Hex.encode(SecureRandom.bytes(8))
    private let state = Mutex(State())

    /// Keeps a message. One with the id of an existing message is a repeat, and changes nothing.
    func receive(_ message: OutgoingMessage, at now: Int64) {
        state.withLock { state in
            guard !state.messages.contains(where: { $0.id == message.id }) else { return }
            state.messages.insert(ReceivedMessage(message, at: now), at: 0)
            state.messages = Array(state.messages.prefix(Self.messagesMax))
            state.changes += 1
        }
    }

    /// Returns the messages, newest first.
    ///
    /// - Parameter recipient: a phone number or email address, to select only its messages.
    func messages(to recipient: String? = nil) -> [ReceivedMessage] {
        let all = state.withLock { $0.messages }
        guard let recipient else { return all }
        return all.filter { $0.isAddressed(to: recipient) }
    }

    /// Returns the messages that contain `words`, newest first; all of them for an empty text.
    func messages(holding words: String) -> [ReceivedMessage] {
        let all = state.withLock { $0.messages }
        return words.isEmpty ? all : all.filter { $0.holds(words) }
    }

    func removeAll() {
        state.withLock { state in
            state.messages = []
            state.changes += 1
        }
    }

    /// A text that differs after each change, and after a restart.
    var version: String { "\(instance)-\(state.withLock { $0.changes })" }
}
