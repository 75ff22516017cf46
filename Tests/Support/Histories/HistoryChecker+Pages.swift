/// Sessions of pages: each tab that proves the page's secret is led to the newest token, whichever it presents.
extension HistoryChecker {
    /// Whether tabs of pages may skip tokens.
    var leadsLateTabs: Bool { rules.lateTabWindow > .zero }

    /// I-1 and I-10 for pages.
    func pageFindings(_ history: History) -> [HistoryFinding] {
        let halves = history.operations.filter { $0.cookies == .one && $0.outcome.issue != nil }.map {
            HistoryFinding(.onlyWithCredential, "a page refreshed at \($0.invoked) with one cookie of the two")
        }
        guard leadsLateTabs else { return halves }
        return halves
            + history.pages.flatMap { session, page in
                forks(session, page) + staleAnswers(page) + tooOldAnswers(page)
            }
    }

    /// Whether a refused refresh of a page may have ended the session, or been refused for the age of its token.
    func mayBeReuse(_ operation: Operation, of page: PageHistory) -> Bool {
        operation.cookies == .both && page.mayBeTooOld(operation, for: rules.lateTabWindow - Self.clockStep)
    }

    /// Whether a refused refresh of a page has ended the session.
    func isReuse(_ operation: Operation, of page: PageHistory) -> Bool {
        operation.cookies == .both && page.isTooOld(operation, for: rules.lateTabWindow * 2 + Self.clockStep)
    }

    /// Each token but the first was made from another one, and each makes one: so a token whose possible origins all made others is a
    /// fork.
    private func forks(_ session: String, _ page: PageHistory) -> [HistoryFinding] {
        let presented = Set(page.refreshes.compactMap(\.presented))
        var made: [TokenDigest: TokenDigest] = [:]
        /// Finds an origin for `token`, and another one for the token that had it.
        func finds(_ token: TokenDigest, _ tried: inout Set<TokenDigest>) -> Bool {
            for origin in presented where page.mayMake(origin, token) && tried.insert(origin).inserted {
                guard let other = made[origin], !finds(other, &tried) else {
                    made[origin] = token
                    return true
                }
            }
            return false
        }
        return page.successors.compactMap { token in
            var tried: Set<TokenDigest> = []
            guard !finds(token, &tried) else { return nil }
            return HistoryFinding(.oneSuccessor, "\(token) of page \(session) follows a token that another one follows")
        }
    }

    /// Answers with a token that was known to be replaced when they were asked for.
    private func staleAnswers(_ page: PageHistory) -> [HistoryFinding] {
        page.refreshes.compactMap { refresh in
            guard let given = refresh.outcome.issue?.refreshToken else { return nil }
            let isStale = page.answered.contains { token, time in
                time < refresh.invoked && page.isEarlier(given, than: token)
            }
            guard isStale || given == refresh.presented else { return nil }
            return HistoryFinding(.oneSuccessor, "a page was answered with \(given), which had been replaced")
        }
    }

    private func tooOldAnswers(_ page: PageHistory) -> [HistoryFinding] {
        page.refreshes.filter { $0.outcome.issue != nil && isReuse($0, of: page) }.map {
            HistoryFinding(.oneSuccessor, "a page was answered at \($0.invoked) for a token replaced long before")
        }
    }
}
