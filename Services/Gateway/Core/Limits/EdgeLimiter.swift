import Policies
import ServiceKit
import ServiceLifecycle

/// Counts requests at the edge: each one to our own endpoints in Redis, and those to the app's API from pieces.
///
/// While Redis is unavailable each gateway counts for itself. Here availability is worth more than an exact count (security guide
/// section 4).
struct EdgeLimiter: Service {
    /// A piece is this fraction of a limit, and at most so many requests.
    private static let pieceShare = 20
    private static let pieceMax = 200
    private static let sweepInterval: Duration = .seconds(10)

    /// How exactly a limit is counted.
    enum Counting: Sendable {
        /// Each request is counted in Redis.
        case exact
        /// Redis is asked for pieces.
        case leased
    }

    enum Judgement: Sendable, Equatable {
        case granted
        /// Nothing is left until so many seconds have passed.
        case refused(seconds: Int64)
    }

    let source: any AllowanceSource
    let leases = LeaseTable()

    /// Counts a request from memory, or returns `nil` if Redis has to be asked.
    func judge(_ key: AllowanceKey, now: Int64) -> Judgement? {
        switch leases.take(key) {
        case .granted: .granted
        case .exhausted: .refused(seconds: key.secondsLeft(now: now))
        case .unknown: nil
        }
    }

    /// Returns the seconds for which a request would be refused, as far as this process knows; counts nothing.
    func refusal(of key: AllowanceKey, now: Int64) -> Int64? {
        leases.isExhausted(key) ? key.secondsLeft(now: now) : nil
    }

    /// Counts a request in Redis, because nothing was left here.
    func ask(_ key: AllowanceKey, _ counting: Counting, now: Int64) async -> Judgement {
        guard let granted = await source.take(Self.piece(of: key.rate, counting), of: key, now: now) else {
            // The window's whole allowance is this process's own, once; the wider blocks' too.
            leases.takeOver(key)
            return judge(key, now: now) ?? .refused(seconds: key.secondsLeft(now: now))
        }
        guard granted > 0 else {
            leases.add(0, to: key, isLast: true)
            return .refused(seconds: key.secondsLeft(now: now))
        }
        if granted > 1 { leases.add(granted - 1, to: key) }
        return .granted
    }

    /// Returns how many requests are taken from Redis at once.
    static func piece(of rate: RateLimit, _ counting: Counting) -> Int {
        switch counting {
        case .exact: 1
        case .leased: min(max(1, rate.max / pieceShare), pieceMax)
        }
    }

    /// Removes ended windows, until shutdown.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.sweepInterval) } catch { return }
                leases.sweep(now: UnixTime.seconds())
            }
        }
    }
}
