import TLSPairs

/// The decision which pairs of the folder are served and which are refused.
struct CertificateJudgement: Sendable, Equatable {
    /// A pair of the folder that is refused.
    struct Refusal: Sendable, Equatable {
        let name: String
        let problem: TLSPairProblem
    }

    var pairs: [TLSPair] = []
    var refusals: [Refusal] = []

    /// Judges the pairs at the start. Expired pairs are served too. Pinned apps and people who inspect them notice, and one pair
    /// that was not renewed in time must not keep all others from being served.
    ///
    /// - Parameter accepts: whether the TLS library accepts a pair.
    static func atStart(
        _ entries: [TLSFolder.Entry], pins: [SPKIPin], now: Int64, accepts: (TLSPair) -> Bool = { _ in true }
    ) -> CertificateJudgement {
        var judgement = CertificateJudgement()
        for entry in entries {
            switch entry.result {
            case .failure(let problem): judgement.refuse(entry.name, problem)
            case .success(let pair):
                switch pair.problem(pins: pins, now: now) ?? (accepts(pair) ? nil : .unusable) {
                case .expired where !accepts(pair): judgement.refuse(entry.name, .unusable)
                case nil, .expired: judgement.pairs.append(pair)
                case let problem?: judgement.refuse(entry.name, problem)
                }
            }
        }
        return judgement
    }

    /// Judges the pairs of a reload. If a pair is refused, the one that is served stays. A pair whose files are gone is no longer
    /// served.
    ///
    /// - Parameters:
    ///   - serving: the pairs that are served now; a pair that has not changed is not judged again.
    ///   - staying: names whose files are gone and which are still served.
    ///   - accepts: whether the TLS library accepts a pair.
    static func atReload(
        _ entries: [TLSFolder.Entry], serving: [TLSPair], staying: Set<String> = [], pins: [SPKIPin], now: Int64,
        accepts: (TLSPair) -> Bool = { _ in true }
    ) -> CertificateJudgement {
        var judgement = CertificateJudgement()
        judgement.pairs = serving.filter { staying.contains($0.name) }
        for entry in entries {
            let old = serving.first { $0.name == entry.name }
            switch entry.result {
            case .success(let pair) where pair == old: judgement.pairs.append(pair)
            case .success(let pair):
                let problem = pair.problem(pins: pins, now: now) ?? (accepts(pair) ? nil : .unusable)
                if let problem { judgement.refuse(entry.name, problem) }
                if let served = problem == nil ? pair : old { judgement.pairs.append(served) }
            case .failure(let problem):
                judgement.refuse(entry.name, problem)
                if let old { judgement.pairs.append(old) }
            }
        }
        judgement.pairs.sort { $0.name < $1.name }
        return judgement
    }

    /// The time at which a pair that is not yet valid may be judged again; `nil` if there is no such pair.
    var retryAt: Int64? {
        refusals.compactMap { if case .notYetValid(let time) = $0.problem { time } else { nil } }.min()
    }

    private mutating func refuse(_ name: String, _ problem: TLSPairProblem) {
        refusals.append(Refusal(name: name, problem: problem))
    }
}
