import CryptoPrimitives
package import InternalAPI

/// Guesses at codes, spread around a fault: however it falls, no code is guessed at more often than the policy allows.
///
/// The guesses go to otp-service itself, which tells an evaluated guess from one that was not compared.
package struct GuessRound: Sendable {
    private static let guessesBefore = 4
    private static let guessesMeanwhile = 12
    private static let pauseMilliseconds = 0...40
    /// From the code to the first guess, so that some faults fall between the two.
    private static let waitMilliseconds = 0...400

    private let stack: LatchkeyStack
    private let challenges: Int
    private let rules: HistoryRules

    package init(_ stack: LatchkeyStack, challenges: Int = 8, rules: HistoryRules = HistoryRules()) {
        self.stack = stack
        self.challenges = challenges
        self.rules = rules
    }

    /// The result of a round.
    package struct Report: Sendable {
        /// Guesses that were compared, over all challenges.
        package let evaluated: Int
        package let findings: [String]
    }

    /// Guesses at each challenge before, during and after the faults, then presents the right code.
    package func run(_ faults: [ProcessFault], seed: UInt64) async throws -> Report {
        let recorder = HistoryRecorder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<challenges {
                group.addTask { try await attack(recorder, seed: seed &+ UInt64(number)) }
            }
            var generator = SeededGenerator(seed: seed)
            for fault in faults {
                try await Task.sleep(for: generator.milliseconds(50...600))
                try await stack.inflict(fault)
            }
            try await group.waitForAll()
        }
        let operations = recorder.operations
        return Report(
            evaluated: operations.count { $0.outcome == .wrongCode },
            findings: HistoryChecker(rules).findings(in: operations).map { "\(faults): \($0)" })
    }

    private func attack(_ recorder: HistoryRecorder, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let phone = LatchkeyStack.freshPhone()
        let code: String
        do {
            try await stack.requestCode(for: phone)
            code = try await stack.code(for: phone)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The fault came first: no challenge, no guess.
            return
        }
        try await Task.sleep(for: generator.milliseconds(Self.waitMilliseconds))
        for number in 0..<Self.guessesBefore + Self.guessesMeanwhile {
            await guess(Self.wrong(code, number), phone, recorder)
            try await Task.sleep(for: generator.milliseconds(Self.pauseMilliseconds))
        }
        try await stack.untilReady()
        for number in 0..<rules.guessesPerChallengeMax {
            await guess(Self.wrong(code, 100 + number), phone, recorder)
        }
        await guess(code, phone, recorder)
    }

    private func guess(_ code: String, _ phone: String, _ recorder: HistoryRecorder) async {
        var operation = Operation(.guess)
        operation.challenge = phone
        let body = OTPVerify(
            phone: phone, region: "US", code: code, purpose: .signIn, address: "127.0.0.1",
            callID: Hex.encode(SecureRandom.bytes(8)))
        await recorder.record(operation) {
            let answer = try await ServiceCaller(stack: stack).post("otp", OTPOperations.verify.path, body)
            guard answer.status == 200 else { return .unknown }
            let verdict: OTPVerifyAnswer = try answer.decoded()
            return Outcome(verdict.result)
        }
    }

    /// A code of six digits that is not `code`; another one for each `number` below 900,000.
    private static func wrong(_ code: String, _ number: Int) -> String {
        String(100_000 + ((Int(code) ?? 0) + 1 + number) % 900_000)
    }
}

extension Outcome {
    /// Creates the outcome of a guess that otp-service has judged.
    package init(_ result: OTPVerifyResult) {
        switch result {
        case .approved: self = .accepted
        case .wrongCode: self = .wrongCode
        case .tooManyAttempts: self = .limited
        case .unknown, .expired, .used, .invalidPhone, .invalidEmail, .off: self = .refused
        }
    }
}
