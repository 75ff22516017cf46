import AuthAPI
import TestSupport

/// A provider of text messages that takes each and answers none: how long people wait, what otp-service holds meanwhile, and
/// how others fare.
struct HangingProvider: Sendable {
    /// More than otp-service hands to providers at a time.
    private static let people = 600
    /// All are there after 2.4 s, and none has been answered.
    private static let crowd = PacedLoad(perSecond: 250, seconds: Double(people) / 250)
    private static let untilAllAreThere: Duration = .milliseconds(2_500)
    private static let pauseMilliseconds: Int64 = 60_000
    private static let others = PacedLoad(perSecond: 200, seconds: 2)
    private static let otherConnections = 4
    /// The maximum number of milliseconds until a request is answered.
    private static let answerBound = 5_500.0
    /// Milliseconds that others may always wait, and how many times as long as in a quiet time.
    private static let othersBound = (milliseconds: 20.0, ratio: 3.0)
    /// Megabytes of otp-service.
    private static let memoryBound = 40.0

    let stack: StackUnderLoad
    /// The prefix of the figures' names.
    let name: String

    func run() async throws -> [Figure] {
        let connection = try await LoadConnection.open(port: stack.gatewayPort)
        let token = try await SignInClient(hooks: stack.hooks)
            .tokens(SignInNumbers.number(Self.people), over: connection).accessToken
        await connection.close()
        let idle = try await callAPI(token)
        let memory = try PeakMemory(of: try stack.process("otp"))
        let people = try await LoadConnection.open(Self.people, port: stack.gatewayPort)
        stack.hooks.setPause(milliseconds: Self.pauseMilliseconds)
        async let waits = Self.ask(over: people)
        try await Task.sleep(for: Self.untilAllAreThere)
        let beside = try await callAPI(token)
        let slowest = try await waits.max() ?? 0
        for connection in people { await connection.close() }
        let bound = max(Self.othersBound.milliseconds, Self.othersBound.ratio * idle)
        return [
            Figure("\(name).answer.max", slowest, .milliseconds, bound: .atMost(Self.answerBound)),
            Figure("\(name).others.p99.quiet", idle, .milliseconds),
            Figure("\(name).others.p99", beside, .milliseconds, bound: .atMost(bound)),
            Figure("\(name).memory.extra", try memory.extra, .megabytes, bound: .atMost(Self.memoryBound)),
        ]
    }

    private func callAPI(_ token: String) async throws -> Double {
        try await stack.callAPI(token, Self.others, connections: Self.otherConnections)
    }

    /// Sends one request over each connection; a response other than 503 ends the run.
    ///
    /// - Returns: how many milliseconds each has waited.
    private static func ask(over connections: [LoadConnection]) async throws -> [Double] {
        try await crowd.run(over: connections) { index, connection in
            try await connection.send(.codeRequest(SignInNumbers.number(index)), expecting: 503)
        }
    }
}
