import Synchronization

/// What the next calls come to, where it is not what the provider would do by itself.
final class Script: Sendable {
    /// One call's fate; each is used once, in order.
    struct Step: Codable, Sendable, Equatable {
        /// `resend`, `smtp`, `twilio-verify`, `twilio-messaging`, `apple` or `oidc`.
        var provider: String
        /// Of SMTP: the command that it is for, e.g. `RCPT`; `.` is the end of a mail. Of Twilio: `create`, `update`, `check`,
        /// `fetch` or `service`, or `callback`: what it tells of the message; nil: any.
        var at: String?
        /// Of HTTP: status and error name of the answer. Of a callback: the message's status.
        var status: Int?
        var name: String?
        /// Of HTTP: fields of the answer.
        var headers: [String: String]?
        /// Of Twilio: the error's number.
        var code: Int?
        /// The body of the response that Twilio gives, or a provider for its keys (`at` is `keys`).
        var body: String?
        /// Of SMTP: the reply, lines by LF.
        var reply: String?
        /// Seconds before anything is answered; with Twilio the call has had its effect by then.
        var hang: Double?
        /// The connection ends after the call has had its effect: the answer is lost.
        var drop: Bool?
        /// Used again and again.
        var always: Bool?
    }

    /// Steps that may wait.
    static let countMax = 10_000

    private struct State {
        var steps: [Step] = []
        var used = 0
        var connections = 0
        /// Commands of SMTP, oldest first.
        var seen: [String] = []
        /// The lines of `EHLO`, oldest first.
        var greetings: [String] = []
    }

    private let state = Mutex(State())

    /// Steps that were used.
    var used: Int { state.withLock(\.used) }
    /// Connections that the mail server has taken.
    var connections: Int { state.withLock(\.connections) }
    /// Commands that the mail server has been given, oldest first.
    var seen: [String] { state.withLock(\.seen) }

    /// The lines of `EHLO` that the mail server has been given, oldest first.
    var greetings: [String] { state.withLock(\.greetings) }

    func noteGreeting(_ line: String) {
        state.withLock { $0.greetings = Array(($0.greetings + [line]).suffix(Self.countMax)) }
    }

    func noteConnection() { state.withLock { $0.connections += 1 } }

    func append(_ more: [Step]) { state.withLock { $0.steps = Array(($0.steps + more).prefix(Self.countMax)) } }

    func clear() { state.withLock { $0 = State() } }

    /// The step for this operation of an HTTP interface, if one waits.
    func next(_ provider: String, of operation: String) -> Step? {
        state.withLock { state in
            let index = state.steps.firstIndex { step in
                step.provider == provider && (step.at == nil || step.at == operation)
            }
            return index.map { Self.use($0, &state) }
        }
    }

    private static func use(_ index: Int, _ state: inout State) -> Step {
        state.used += 1
        return state.steps[index].always == true ? state.steps[index] : state.steps.remove(at: index)
    }

    /// The step for this call, if one waits.
    func next(_ provider: String, at command: String? = nil) -> Step? {
        state.withLock { state in
            if let command { state.seen = Array((state.seen + [command]).suffix(Self.countMax)) }
            guard let index = state.steps.firstIndex(where: { $0.provider == provider && $0.at == command }) else {
                return nil
            }
            return Self.use(index, &state)
        }
    }
}
