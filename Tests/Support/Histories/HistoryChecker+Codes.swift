extension HistoryChecker {
    /// I-5 and I-6: a code can be guessed at so many times, and code and link of one mail open one session.
    func codeFindings(_ history: History) -> [HistoryFinding] {
        history.byChallenge.flatMap { challenge, indices -> [HistoryFinding] in
            let outcomes = indices.map { history.operations[$0].outcome }
            var findings: [HistoryFinding] = []
            // The right code is evaluated once; more of the same answer is a repeat.
            let evaluated = outcomes.count { $0 == .wrongCode } + (outcomes.contains(where: \.isSuccess) ? 1 : 0)
            if evaluated > rules.guessesPerChallengeMax {
                findings.append(.init(.guessesAreBounded, "\(evaluated) guesses were evaluated for \(challenge)"))
            }
            let sessions = Set(outcomes.compactMap(\.issue?.session))
            if sessions.count > 1 {
                findings.append(.init(.oneSessionPerCode, "\(challenge) opened sessions \(sessions.sorted())"))
            }
            return findings
        }
    }

    /// I-10: what succeeds does so with a token that was given out.
    func credentialFindings(_ history: History) -> [HistoryFinding] {
        history.operations.compactMap { operation in
            guard operation.kind == .call || operation.kind == .refresh, operation.outcome.isSuccess else { return nil }
            guard let token = operation.presented else {
                return .init(.onlyWithCredential, "a \(operation.kind.rawValue) succeeded without a token")
            }
            let wasGiven = (history.issuers[token] ?? []).contains { index in
                operation.completed.map { history.operations[index].invoked < $0 } ?? true
            }
            guard !wasGiven else { return nil }
            return .init(
                .onlyWithCredential, "a \(operation.kind.rawValue) succeeded with \(token), which nobody was given")
        }
    }
}
