import CoreMetrics
import EdgeHTTP
import Logging
import NIOPosix
import OutgoingConnections
import Policies
import ServiceCalls
import ServiceKit
import ServiceLifecycle
import Synchronization
import TLSPairs

/// Orders the certificate of the gateways that share a folder, again in time, and answers the challenges in the folder.
///
/// Each gateway reads the challenges every `interval`, and the one that orders waits for `settleTime` before the authority
/// comes, so that any of them can answer. Certificates reach all of them through `CertificateKeeper`.
final class ACMEKeeper: Service {
    private enum Result: String, CaseIterable { case ok, failed }

    private struct State: Sendable {
        /// The time before which nothing is ordered.
        var quietUntil = ContinuousClock.now + startTime
        /// Whether the operator wants the next order at once.
        var isAsked = false
        var problem: String?
    }

    private static let interval: Duration = .seconds(1)
    /// The time after which the server listens, so that the authority finds it.
    private static let startTime: Duration = .seconds(5)
    private static let settleTime: Duration = .seconds(3)
    private static let readSeconds: Int64 = 20
    /// The least time between two certificates, however short-lived the directory makes them.
    private static let quietTime: Duration = .seconds(3_600)
    /// How often the time of the next order is looked up after failures.
    private static let lookTime: Duration = .seconds(60)
    private static let counted = "acme_orders_total"

    private let keeper: CertificateKeeper
    private let board: ChallengeBoard
    private let folder: ACMEFolder
    private let kinds: [ACMEChallenge.Kind]
    private let rule: RenewalRule
    private let authorities: OwnAuthorities?
    private let logger: Logger
    private let state = Mutex(State())

    /// Creates the service, or returns `nil` if the gateway orders no certificate.
    init?(_ context: ProcessContext, _ listening: EdgeListening, _ keeper: CertificateKeeper) throws {
        guard let board = keeper.board, let folder = try ACMEFolder(context) else { return nil }
        (self.keeper, self.board, self.folder) = (keeper, board, folder)
        kinds = listening.plain == nil ? [.tls] : [.http, .tls]
        rule = RenewalRule(hosts: try Self.hosts(context), jitter: .random(in: RenewalRule.jitterRange))
        authorities = try context.settings.ownAuthorities()
        logger = context.logger
        Counter.start(Self.counted, ["result": Result.allCases.map(\.rawValue)])
    }

    /// Returns the hosts of the certificate.
    private static func hosts(_ context: ProcessContext) throws(SettingsError) -> [String] {
        let setting = "LATCHKEY_PUBLIC_URL"
        guard let host = try context.publicURL()?.host else {
            throw .missing(
                setting, because: "edge.tls.acme orders a certificate for its host", use: "https://auth.example.com")
        }
        guard host.contains("."), !host.contains("_"), IPAddress(host) == nil else {
            throw SettingsError(setting, "edge.tls.acme gets no certificate for \(host). Use a public host name.")
        }
        let others = Set(context.policy.dialects.compactMap(\.host)).subtracting([host])
        return [host] + others.sorted()
    }

    /// Why there is no certificate, for `/readyz`; `nil` if there is one.
    var problem: String? {
        keeper.certificates.pairs.isEmpty ? state.withLock { $0.problem } ?? "" : nil
    }

    /// Lets the next order start at once, also after failures.
    func orderNow() { state.withLock { ($0.isAsked, $0.quietUntil) = (true, .now) } }

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) {
            do {
                try await self.onFiles { try self.board.use(try self.folder.challenges(), self.keeper.certificates) }
                if self.isDue { try await self.orderAlone() }
            } catch is CancellationError {} catch { self.note(error, isOfOrder: false) }
        }
    }

    private var isDue: Bool {
        guard state.withLock({ $0.quietUntil <= .now }) else { return false }
        return rule.isDue(keeper.certificates.pairs.first, now: UnixTime.seconds())
    }

    /// Orders, unless another gateway does or has just done so, or the last failure is too recent.
    private func orderAlone() async throws {
        guard let lock = try await onFiles({ try self.folder.lock() }) else { return }
        defer { withExtendedLifetime(lock) {} }
        await keeper.look(isAsked: false)
        guard isDue else { return }
        let failures = try await onFiles { try self.folder.failures() }
        let isAsked = state.withLock { state in
            defer { state.isAsked = false }
            return state.isAsked
        }
        let now = UnixTime.seconds()
        if !isAsked, let failures, failures.holdsBack(now: now) { return wait(after: failures) }
        // It counts as failed until it has succeeded, so that no crash and no full disk lets one order follow another.
        try await onFiles { try self.folder.write(OrderFailures(after: failures, now: now)) }
        do {
            try await order(keeper.policy)
            try await onFiles { try self.folder.write(nil) }
            rest(Self.quietTime)
            state.withLock { $0.problem = nil }
            count(.ok)
            logger.notice("acme.ordered", metadata: ["hosts": "\(rule.hosts.joined(separator: ","))"])
        } catch {
            guard !Task.isCancelled else {
                // A stop is no failure. The pool of threads does nothing more for a task that is cancelled.
                try folder.write(failures)
                throw CancellationError()
            }
            note(error, isOfOrder: true)
            count(.failed)
        }
        await keeper.look(isAsked: false)
    }

    private func rest(_ time: Duration) { state.withLock { $0.quietUntil = .now + time } }

    /// Waits after failures, and says so if it was another process that failed.
    private func wait(after failures: OrderFailures) {
        rest(Self.lookTime)
        let isNew = state.withLock { state in
            defer { state.problem = state.problem ?? "waiting" }
            return state.problem == nil
        }
        guard isNew else { return }
        let until = failures.lastAt + failures.delaySeconds
        logger.warning("acme.waiting", metadata: ["failures": "\(failures.count)", "until": "\(until)"])
    }

    private func order(_ policy: EdgeTLSPolicy) async throws {
        guard let acme = policy.acme else { return }
        let pins = try CertificateKeeper.pins(policy)
        let (account, key) = try await onFiles { (try self.folder.accountKey(), try self.folder.key(pins: pins)) }
        let trusted = try acme.ca.map { try OwnAuthorities(file: $0) } ?? authorities
        let chain = try await withProviderExchange(
            answerBytesMax: ACMESession.answerBytesMax, readSeconds: Self.readSeconds, authorities: trusted
        ) { exchange in
            var session = try await ACMESession(acme.directory, key: account, over: exchange)
            try await session.register(email: acme.email)
            return try await self.chain(&session, key)
        }
        try Self.require(chain, key, rule.hosts, pins: pins)
        try await onFiles { try self.folder.install(chain) }
    }

    /// Returns the ordered chain (PEM). If the authority cannot verify a host in one way, the other way is tried.
    private func chain(_ session: inout ACMESession, _ key: [UInt8]) async throws -> [UInt8] {
        let ordering = CertificateOrdering(hosts: rule.hosts, key: key) { challenges in
            try await self.show(challenges)
            try await pause(for: Self.settleTime)
        }
        var failure: any Error = ACMEFailure.noChallenge
        for kind in kinds {
            do {
                let chain = try await ordering.run(&session, by: kind)
                try await show([])
                return chain
            } catch {
                try await show([])
                failure = error
                guard (error as? ACMEFailure)?.isOfChallenge == true else { throw error }
            }
        }
        throw failure
    }

    private func show(_ challenges: [HostChallenge]) async throws {
        try await onFiles {
            try self.folder.write(challenges)
            try self.board.use(challenges, self.keeper.certificates)
        }
    }

    /// Checks that a chain may be served, before it takes the place of the old one.
    private static func require(
        _ chain: [UInt8], _ key: [UInt8], _ hosts: [String], pins: [SPKIPin]
    ) throws(ACMEFailure) {
        let pair: TLSPair
        do throws(TLSPairProblem) {
            pair = try TLSPair(name: ACMEFolder.pairName, certificatePEM: chain, keyPEM: key)
            if let problem = pair.problem(pins: pins, now: UnixTime.seconds()) { throw problem }
        } catch { throw .certificate(error) }
        if let missing = hosts.first(where: { !pair.covers(host: $0) }) { throw .lacks(host: missing) }
    }

    /// Logs a failure: of an order each one, of the files once, because they are read every second.
    private func note(_ error: any Error, isOfOrder: Bool) {
        let code = (error as? ACMEFailure)?.code ?? "files"
        let isNew = state.withLock { state in
            defer { state.problem = code }
            return state.problem != code
        }
        guard isOfOrder || isNew else { return }
        logger.error("acme.failed", metadata: ["reason": "\(code)", "error": "\(error)", "old": "stays"])
    }

    private func count(_ result: Result) {
        Counter(label: Self.counted, dimensions: [("result", result.rawValue)]).increment()
    }

    private func onFiles<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
