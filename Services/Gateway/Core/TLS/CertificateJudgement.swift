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
    ///
    /// - Parameter accepts: whether the TLS library takes a pair.
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

    /// In place of a pair that is refused the one that is served stays; one whose files are gone is served no more.
    ///
    /// - Parameters:
    ///   - serving: what is served now; a pair that has not changed is not judged again.
    ///   - staying: names whose files are gone, and that are served all the same.
    ///   - accepts: whether the TLS library takes a pair.
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

    /// When a pair that is refused for its beginning may be looked at again; nil: none is.
    var retryAt: Int64? {
        refusals.compactMap { if case .notYetValid(let time) = $0.problem { time } else { nil } }.min()
    }

    private mutating func refuse(_ name: String, _ problem: TLSPairProblem) {
        refusals.append(Refusal(name: name, problem: problem))
    }
}
