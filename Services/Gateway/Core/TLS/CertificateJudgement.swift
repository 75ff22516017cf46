import TLSPairs

/// Which pairs of the folder are served, and which are not.
struct CertificateJudgement: Sendable, Equatable {
    /// A pair that is not served as it lies there.
    struct Refusal: Sendable, Equatable {
        let name: String
        let problem: TLSPairProblem
    }

    var pairs: [TLSPair] = []
    var refusals: [Refusal] = []

    /// At the start expired pairs are served too: pinned apps and people who look can tell, and one that nobody renewed in
    /// time must not keep all others from being served.
    static func atStart(_ entries: [TLSFolder.Entry], pins: [SPKIPin], now: Int64) -> CertificateJudgement {
        var judgement = CertificateJudgement()
        for entry in entries {
            switch entry.result {
            case .failure(let problem): judgement.refuse(entry.name, problem)
            case .success(let pair):
                switch pair.problem(pins: pins, now: now) {
                case nil, .expired: judgement.pairs.append(pair)
                case let problem?: judgement.refuse(entry.name, problem)
                }
            }
        }
        return judgement
    }

    /// In place of a pair that is refused the one that is served stays; one whose files are gone is served no more.
    ///
    /// - Parameter serving: what is served now; a pair that has not changed is not judged again.
    static func atReload(
        _ entries: [TLSFolder.Entry], serving: [TLSPair], pins: [SPKIPin], now: Int64
    ) -> CertificateJudgement {
        var judgement = CertificateJudgement()
        for entry in entries {
            let old = serving.first { $0.name == entry.name }
            switch entry.result {
            case .success(let pair) where pair == old: judgement.pairs.append(pair)
            case .success(let pair):
                let problem = pair.problem(pins: pins, now: now)
                if let problem { judgement.refuse(entry.name, problem) }
                if let served = problem == nil ? pair : old { judgement.pairs.append(served) }
            case .failure(let problem):
                judgement.refuse(entry.name, problem)
                if let old { judgement.pairs.append(old) }
            }
        }
        return judgement
    }

    private mutating func refuse(_ name: String, _ problem: TLSPairProblem) {
        refusals.append(Refusal(name: name, problem: problem))
    }
}
