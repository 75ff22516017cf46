import Delivery
import Policies
import Synchronization

@testable import OTPCore

/// A provider that makes codes and checks them by Twilio's rules: five messages, five checks, one code of a number at a time.
final class ManagedProvider: MessageSender, CodeChecker {
    let provider = TwilioVerifySender.managedProvider
    let abilities = SenderAbilities(channels: TwilioVerifySender.channels, contents: [.code], makesCodes: true)

    private struct Verification {
        let code: String
        var sends = 1
        var checks = 0
    }

    private struct State {
        var open: [String: Verification] = [:]
        var made = 0
        var messages: [Message] = []
        var asked: [String] = []
        var failure: DeliveryFailure?
        var sendFailure: DeliveryFailure?
        /// The message goes out all the same.
        var failsAfterAll = false
        /// The answer to a right code is lost.
        var losesAnswers = false
    }

    private let state = Mutex(State())
    /// Runs while a guess is undecided.
    let whileAsked: @Sendable () async -> Void

    init(whileAsked: @escaping @Sendable () async -> Void = {}) { self.whileAsked = whileAsked }

    var messages: [Message] { state.withLock { $0.messages } }
    /// The codes that were checked.
    var asked: [String] { state.withLock { $0.asked } }

    func code(of number: String) -> String { state.withLock { $0.open[number]?.code ?? "" } }
    func fail(with failure: DeliveryFailure?) { state.withLock { $0.failure = failure } }
    /// Messages come to nothing, and no verification is closed for them; `afterAll`: only their answers are lost.
    func refuseSends(with failure: DeliveryFailure?, afterAll: Bool = false) {
        state.withLock { ($0.sendFailure, $0.failsAfterAll) = (failure, afterAll) }
    }
    func loseAnswers(_ loses: Bool) { state.withLock { $0.losesAnswers = loses } }
    /// Somebody else has had the checks of a number.
    func useUp(_ number: String) { state.withLock { $0.open[number]?.checks = 5 } }

    func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let (failure, failsAfterAll) = state.withLock { ($0.sendFailure, $0.failsAfterAll) }
        if let failure, !failsAfterAll { throw failure }
        state.withLock { state in
            state.messages.append(message)
            if message.replacesEarlier { state.open[message.recipient] = nil }
            if state.open[message.recipient] == nil {
                state.made += 1
                state.open[message.recipient] = Verification(code: String(700_000 + state.made))
            } else {
                state.open[message.recipient]?.sends += 1
            }
        }
        if let failure { throw failure }
        return message.id
    }

    func check(_ code: String, of number: String, within limit: Duration) async -> CodeCheck {
        await whileAsked()
        return state.withLock { state in
            state.asked.append(code)
            if let failure = state.failure { return .unknown(failure) }
            guard var verification = state.open[number] else { return .gone }
            guard verification.checks < 5 else { return .usedUp }
            verification.checks += 1
            let isRight = verification.code == code
            state.open[number] = isRight ? nil : verification
            if state.losesAnswers { return .unknown(.timedOut) }
            return isRight ? .right : .wrong
        }
    }
}

/// Runs `body` with codes that a provider makes.
func withManaged<Result>(
    _ policy: OTPPolicy = .generous, aarokya: OTPPolicy? = nil, provider: ManagedProvider = ManagedProvider(),
    isClosed: Bool = false,
    _ body: (CodeFixture, ManagedProvider) async throws -> Result
) async throws -> Result {
    try await withFixture(
        policy, aarokya: aarokya, line: SenderLine([provider], channels: [.sms, .call, .whatsapp]),
        twilio: .init(checker: provider), isClosed: isClosed
    ) { fixture async throws in try await body(fixture, provider) }
}
