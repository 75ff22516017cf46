import Synchronization

/// The scripted results of the next calls, which replace the provider's usual ones.
final class Script: Sendable {
    /// The result of one call. Each step is used once, in order.
    struct Step: Codable, Sendable, Equatable {
        /// `resend`, `smtp`, `twilio-verify`, `twilio-messaging`, `apple` or `oidc`.
        var provider: String
        /// The place in the provider's API; `nil` for any. For SMTP it is the command, such as `RCPT`, or `.` for the end of a
        /// mail. For Twilio it is `create`, `update`, `check`, `fetch` or `service`, or `callback`: the status callback of the
        /// message.
        var at: String?
        /// The status and error name of an HTTP response, or the message's status in a callback.
        var status: Int?
        var name: String?
        /// The fields of an HTTP response.
        var headers: [String: String]?
        /// The number of a Twilio error.
        var code: Int?
        /// The body of the response that Twilio gives, or a provider for its keys (`at` is `keys`).
        var body: String?
        /// The reply of SMTP; its lines are separated by LF.
        var reply: String?
        /// The seconds before the response. A call to Twilio has had its effect by then.
        var hang: Double?
        /// Whether the connection ends after the call has had its effect, so that the response is lost.
        var drop: Bool?
        /// Whether the step is used again and again.
        var always: Bool?
    }

    /// The greatest number of steps that wait.
    static let countMax = 10_000

    private struct State {
        var steps: [Step] = []
        var used = 0
        var connections = 0
        /// The commands of SMTP, oldest first.
        var seen: [String] = []
        /// The lines of `EHLO`, oldest first.
        var greetings: [String] = []
    }

    private let state = Mutex(State())

    /// The number of steps that were used.
    var used: Int { state.withLock(\.used) }
    /// The number of connections that the mail server has accepted.
    var connections: Int { state.withLock(\.connections) }
    /// The commands that the mail server has received, oldest first.
    var seen: [String] { state.withLock(\.seen) }

    /// The lines of `EHLO` that the mail server has received, oldest first.
    var greetings: [String] { state.withLock(\.greetings) }

    func noteGreeting(_ line: String) {
        state.withLock { $0.greetings = Array(($0.greetings + [line]).suffix(Self.countMax)) }
    }

    func noteConnection() { state.withLock { $0.connections += 1 } }

    func append(_ more: [Step]) { state.withLock { $0.steps = Array(($0.steps + more).prefix(Self.countMax)) } }

    func clear() { state.withLock { $0 = State() } }

    /// Returns the next step for this operation of an HTTP API, or `nil` if there is none.
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

    /// Returns the next step for this call, or `nil` if there is none.
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
