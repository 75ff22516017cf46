/// The master that a majority of its Sentinels names, and how long that may be relied on.
///
/// A Sentinel never returns to a master that it has replaced. So once a majority has named another master, a question to a majority
/// can no longer be answered with the former one, and what was asked before is over after `window`.
struct MasterBelief {
    /// One Sentinel's answer.
    struct Answer: Equatable {
        /// The Sentinel's own id, by which two names of one Sentinel are recognised.
        let sentinel: String
        /// `nil` if the Sentinel does not know the name.
        let master: RedisAddress?
        let sentAt: ContinuousClock.Instant
        let receivedAt: ContinuousClock.Instant
    }

    /// A master that a majority names.
    struct Majority: Equatable {
        let master: RedisAddress
        /// When the oldest of the questions was sent that a majority has answered with this master.
        let sentAt: ContinuousClock.Instant
        /// The time from which on a majority has named it without a gap.
        let since: ContinuousClock.Instant
    }

    /// How long an answer counts, from its question on.
    static let window: Duration = .seconds(2)
    /// A reply of a master is relied on for up to this long afterwards, so the master itself is trusted for less than `window`.
    static let reliance: Duration = .milliseconds(100)

    private var answers: [Answer?]
    private(set) var majority: Majority?

    init(sentinelCount: Int) { answers = Array(repeating: nil, count: sentinelCount) }

    /// The number of Sentinels that have to name a master.
    var quorum: Int { answers.count / 2 + 1 }

    /// The last answers, one for each Sentinel that has ever answered.
    var known: [Answer] { answers.compactMap { $0 } }

    /// Returns an earlier place in the URL that names the same Sentinel as this one.
    func twin(of sentinel: Int) -> Int? {
        guard answers.indices.contains(sentinel), let own = answers[sentinel] else { return nil }
        return answers[..<sentinel].firstIndex { $0?.sentinel == own.sentinel }
    }

    /// Takes a Sentinel's answer; `nil` if what it says must not count.
    mutating func note(_ answer: Answer?, from sentinel: Int) {
        guard answers.indices.contains(sentinel) else { return }
        answers[sentinel] = answer
        majority = majority(receivedAt: answer?.receivedAt)
    }

    /// Returns the master that may be used at this time.
    func master(at now: ContinuousClock.Instant) -> RedisAddress? {
        guard let majority, now < majority.sentAt + Self.window - Self.reliance else { return nil }
        return majority.master
    }

    /// Whether no process can rely on an earlier master any more.
    func isSettled(at now: ContinuousClock.Instant) -> Bool {
        guard let majority, master(at: now) != nil else { return false }
        return now >= majority.since + Self.window
    }

    private func majority(receivedAt: ContinuousClock.Instant?) -> Majority? {
        for candidate in known.compactMap(\.master) {
            let times = questions(answeredWith: candidate).sorted(by: >)
            guard times.count >= quorum else { continue }
            let sentAt = times[quorum - 1]
            return Majority(master: candidate, sentAt: sentAt, since: since(candidate, receivedAt ?? sentAt))
        }
        return nil
    }

    /// When the newest question was sent that each Sentinel has answered with this master.
    private func questions(answeredWith master: RedisAddress) -> [ContinuousClock.Instant] {
        let times = known.filter { $0.master == master }.map { ($0.sentinel, $0.sentAt) }
        return Array(Dictionary(times, uniquingKeysWith: max).values)
    }

    private func since(_ master: RedisAddress, _ receivedAt: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard let majority, majority.master == master, receivedAt <= majority.sentAt + Self.window else {
            return receivedAt
        }
        return majority.since
    }
}
