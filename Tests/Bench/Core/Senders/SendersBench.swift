/// The cost of sending: a spend guard, Twilio Messaging, providers that are slow or hang.
package struct SendersBench: Sendable {
    /// The parts that can be measured separately.
    package enum Part: String, Sendable, CaseIterable {
        case spend, messaging, slow, hang, memory

        /// The title of the figures.
        package var title: String {
            switch self {
            case .spend: "a sign-in with a spend guard of \(GuardPolicy.rowCount) rows in parts of one without"
            case .messaging: "a sign-in by Twilio Messaging in parts of one by the hook"
            case .slow:
                "\(SendersBench.slowConnections) connections, a provider that answers after "
                    + "\(SendersBench.slowMilliseconds) ms"
            case .hang: "a provider that never answers"
            case .memory: "a million numbers in 128 MB of Redis beside a spend guard of \(GuardPolicy.rowCount) rows"
            }
        }
    }

    /// The lower quartile of the ratios.
    package static let spendBounds = ["signin.rate": 1.05, "signin.cpu.total": 1.05, "signin.cpu.redis": 1.25]
    package static let messagingBounds = ["signin.rate": 1.15, "signin.cpu.total": 1.15]
    /// Sign-ins in a second.
    package static let slowBoundPerSecond = 300.0
    private static let slowConnections = 256
    private static let slowMilliseconds: Int64 = 200
    private static let slowCountMax = 10_000
    private static let limit: Duration = .seconds(900)
    /// So many that every row of prices has been counted in.
    private static let signInsBeforeMemory = 700
    private static let senders = ["webhook", "twilio-messaging"]

    package let signIns: SignInBench
    /// At least `Comparison.pairsMin`.
    package let pairCount: Int

    package init(signIns: SignInBench, pairs: Int) {
        self.signIns = signIns
        pairCount = pairs
    }

    package func run(_ part: Part) async throws -> [Figure] {
        switch part {
        case .spend:
            try await guarded { try await compared($0, Self.spendBounds, named: "senders.spend") }
        case .messaging:
            try await compared(Self.by("twilio-messaging"), Self.messagingBounds, named: "senders.messaging")
        case .slow: try await byEachSender { try await slow($0, named: "senders.slow.\($1)") }
        case .hang: try await byEachSender { try await HangingProvider(stack: $0, name: "senders.hang.\($1)").run() }
        case .memory:
            try await guarded {
                try await OTPBench.memory(named: "senders", environment: $0, after: Self.signInsBeforeMemory)
            }
        }
    }

    private static func by(_ sender: String) -> [String: String] { ["LATCHKEY_POLICY": "howru", "OTP_SENDER": sender] }

    /// - Parameter body: is given the settings of a stack that is guarded.
    private func guarded(_ body: ([String: String]) async throws -> [Figure]) async throws -> [Figure] {
        try await ScratchFolder.run("senders") { folder in
            try await body(["LATCHKEY_POLICY": try GuardPolicy.write(in: folder), "OTP_SENDER": "webhook"])
        }
    }

    /// A stack with these settings in turn with one of the hook, without a guard.
    private func compared(
        _ environment: [String: String], _ bounds: Comparison.Bounds, named name: String
    ) async throws -> [Figure] {
        try await StackUnderLoad.run(name: "bench-senders", environment: environment) { ours in
            try await StackUnderLoad.run(name: "bench-hook", environment: Self.by("webhook")) { theirs in
                try await signIns.pairs(pairCount, ours, theirs).figures(bounds, named: name)
            }
        }
    }

    /// - Parameter body: is given a fresh stack, and the sender that it has.
    private func byEachSender(_ body: (StackUnderLoad, String) async throws -> [Figure]) async throws -> [Figure] {
        var figures: [Figure] = []
        for sender in Self.senders {
            figures += try await StackUnderLoad.run(name: "bench-senders", environment: Self.by(sender)) { stack in
                try await body(stack, sender)
            }
        }
        return figures
    }

    /// Any answer but that of a sign-in, 503 too, ends the run.
    private func slow(_ stack: StackUnderLoad, named name: String) async throws -> [Figure] {
        let (first, count) = (signIns.warmUpCount, min(signIns.count, Self.slowCountMax))
        _ = try await stack.signIn(0..<first, connections: signIns.connectionCount, within: Self.limit)
        stack.hooks.setPause(milliseconds: Self.slowMilliseconds)
        let run = try await stack.signIn(
            first..<first + count, connections: Self.slowConnections, within: Self.limit)
        guard stack.hooks.refusedCount == 0 else {
            throw UnexpectedReply(description: "\(stack.hooks.refusedCount) messages were malformed or wrongly signed")
        }
        let waits = run.values.compactMap(\.requestMilliseconds).sorted()
        return [
            Figure(
                "\(name).rate", Double(count) / run.wallSeconds, .perSecond, bound: .atLeast(Self.slowBoundPerSecond))
        ]
            + [50, 99].compactMap { percent in
                Percentile.of(waits, percent: percent).map { Figure("\(name).request.p\(percent)", $0, .milliseconds) }
            }
    }
}
