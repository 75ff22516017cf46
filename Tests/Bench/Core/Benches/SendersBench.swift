/// The cost of sending: a spend guard, Twilio Messaging, providers that are slow or hang.
struct SendersBench: Sendable {
    /// The parts that can be measured separately.
    enum Part: String, Sendable, CaseIterable {
        case spend, messaging, slow, hang

        /// The title of the figures.
        var title: String {
            switch self {
            case .spend: "a sign-in with a spend guard of \(GuardPolicy.rowCount) rows in parts of one without"
            case .messaging: "a sign-in by Twilio Messaging in parts of one by the hook"
            case .slow: "\(slowConnections) connections, a provider that answers after \(slowMilliseconds) ms"
            case .hang: "a provider that never answers"
            }
        }
    }

    /// The lower quartile of the ratios.
    private static let spendBounds = ["rate": 1.05, "cpu.total": 1.05, "cpu.redis": 1.25]
    private static let messagingBounds = ["rate": 1.15, "cpu.total": 1.15]
    /// Sign-ins in a second.
    private static let slowBoundPerSecond = 300.0
    private static let slowConnections = 256
    private static let slowMilliseconds: Int64 = 200
    private static let slowCountMax = 10_000

    let signIns: SignInBench
    /// At least `Pairs.least`.
    let pairCount: Int

    func run(_ part: Part) async throws -> [Figure] {
        let figures =
            switch part {
            case .spend:
                try await ScratchFolder.run("senders") { folder in
                    let environment = ["LATCHKEY_POLICY": try GuardPolicy.write(in: folder), "OTP_SENDER": "webhook"]
                    return try await compared(environment, Self.spendBounds)
                }
            case .messaging: try await compared(Self.by("twilio-messaging"), Self.messagingBounds)
            case .slow: try await byEachSender(slow)
            case .hang: try await byEachSender { try await HangingProvider(load: $0).run() }
            }
        return figures.under("senders.\(part.rawValue)")
    }

    private static func by(_ sender: String) -> [String: String] { ["LATCHKEY_POLICY": "howru", "OTP_SENDER": sender] }

    /// A stack with these settings in turn with one of the hook, without a guard.
    private func compared(_ environment: [String: String], _ bounds: [String: Double]) async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-senders", environment: environment) { ours in
            try await StackUnderLoad.run(name: "bench-hook", environment: Self.by("webhook")) { theirs in
                try await signIns.pairs(pairCount, ours, theirs).worse(bounds).under("signin")
            }
        }
    }

    /// - Parameter body: is given a fresh stack.
    private func byEachSender(_ body: (StackUnderLoad) async throws -> [Figure]) async throws -> [Figure] {
        var figures: [Figure] = []
        for sender in ["webhook", "twilio-messaging"] {
            figures += try await StackUnderLoad.run(name: "bench-senders", environment: Self.by(sender), body).under(
                sender)
        }
        return figures
    }

    /// Any answer but that of a sign-in, 503 too, ends the run.
    private func slow(_ stack: StackUnderLoad) async throws -> [Figure] {
        let (first, count) = (signIns.warmUpCount, min(signIns.count, Self.slowCountMax))
        _ = try await stack.signIn(0..<first, connections: signIns.connectionCount)
        stack.hooks.setPause(milliseconds: Self.slowMilliseconds)
        let run = try await stack.signIn(first..<first + count, connections: Self.slowConnections)
        try stack.hooks.checkNoneRefused()
        let rate = Double(count) / run.wallSeconds
        return [Figure("rate", rate, .perSecond, bound: .atLeast(Self.slowBoundPerSecond))]
            + Figure.percentiles(run.values.compactMap(\.requestMilliseconds)).under("request")
    }
}

/// A provider of text messages that takes each and answers none: how long people wait, and how others fare.
private struct HangingProvider: Sendable {
    /// More than otp-service hands to providers at a time.
    private static let people = 600
    /// All are there after 2.4 s, and none has been answered.
    private static let crowd = PacedLoad(perSecond: 250, seconds: Double(people) / 250)
    private static let untilAllAreThere: Duration = .milliseconds(2_500)
    private static let pauseMilliseconds: Int64 = 60_000
    /// The maximum number of milliseconds until a request is answered.
    private static let answerBound = 5_500.0

    let load: StackUnderLoad

    func run() async throws -> [Figure] {
        let token = try await load.accessToken(of: Self.people)
        let quiet = try await callAPI(token)
        let (waits, beside) = try await LoadConnection.with(Self.people, port: load.gatewayPort) { people in
            load.hooks.setPause(milliseconds: Self.pauseMilliseconds)
            async let waits = Self.crowd.milliseconds(over: people) {
                try await $1.send(.codeRequest(SignInNumbers.number($0)), expecting: 503)
            }
            try await Task.sleep(for: Self.untilAllAreThere)
            let beside = try await callAPI(token)
            return (try await waits, beside)
        }
        return [Figure("answer.max", waits.max() ?? 0, .milliseconds, bound: .atMost(Self.answerBound))]
            + Figure.others("others.p99", quiet: quiet, beside: beside)
    }

    private func callAPI(_ token: String) async throws -> Double {
        try await load.callAPI(token, perSecond: 200, seconds: 2, connections: 4)
    }
}

/// The policy `howru` with the dearest spend guard there is: as many rows of prices as a policy may have, each with budgets
/// of its own, none of which a load uses up.
enum GuardPolicy {
    static let rowCount = 512
    private static let budgets = "hour: 1000000000, day: 1000000000"

    /// Writes the file into `folder`.
    ///
    /// - Returns: its path.
    static func write(in folder: String) throws -> String {
        let areas = SignInNumbers.areas.prefix(rowCount - 1).map { "\"+1\($0)\"" }
        let rows = (["default"] + areas).map { "    - { prefix: \($0), sms: 100, call: 100, \(budgets) }" }
        let head = ["", "spend:", "  currency: USD", "  budget: { \(budgets) }", "  prices:"]
        return try BenchPolicy.write(in: folder) { $0 += (head + rows).map { $0 + "\n" }.joined() }
    }
}
