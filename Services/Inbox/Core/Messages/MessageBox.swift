import CryptoPrimitives
import InternalAPI
import Synchronization

/// The newest messages, in memory alone.
final class MessageBox: Sendable {
    /// Messages that are kept; an older one goes for each new one.
    static let messagesMax = 500

    private struct State {
        /// Newest first.
        var messages: [ReceivedMessage] = []
        var changes = 0
    }

    private let instance = Hex.encode(SecureRandom.bytes(8))
    private let state = Mutex(State())

    /// Keeps a message; one with the id of another that is here is a repeat, and changes nothing.
    func receive(_ message: OutgoingMessage, at now: Int64) {
        state.withLock { state in
            guard !state.messages.contains(where: { $0.id == message.id }) else { return }
            state.messages.insert(ReceivedMessage(message, at: now), at: 0)
            state.messages = Array(state.messages.prefix(Self.messagesMax))
            state.changes += 1
        }
    }

    /// The messages, newest first.
    ///
    /// - Parameter recipient: only those to this number or address.
    func messages(to recipient: String? = nil) -> [ReceivedMessage] {
        let all = state.withLock { $0.messages }
        guard let recipient else { return all }
        return all.filter { $0.isAddressed(to: recipient) }
    }

    /// The messages that hold `words`, newest first; all of them for an empty text.
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

    /// Another text after each change, and after a restart.
    var version: String { "\(instance)-\(state.withLock { $0.changes })" }
}
