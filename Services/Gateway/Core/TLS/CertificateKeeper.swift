import CoreMetrics
import EdgeHTTP
import Logging
import NIOPosix
import Policies
import ServiceKit
import ServiceLifecycle
import Synchronization
import TLSPairs

/// Keeps the certificates that clients get equal to those in the folder, as far as these are valid.
///
/// It reads the folder at SIGHUP and every `interval`. Only files that have changed are judged, so that each refusal is logged
/// once.
struct CertificateKeeper: Service {
    /// The time within which a change is noticed.
    static let interval: Duration = .seconds(20)

    let certificates: TLSCertificates
    /// The challenges of the directory that issues the certificate; `nil` if an operator provides certificates.
    let board: ChallengeBoard?
    private let state: State
    private let folder: TLSFolder
    private let path: String
    private let logger: Logger

    /// The result of the last look at the folder.
    private struct Look: Sendable {
        var files: [TLSFolder.Files]
        /// Names that are still served although their files were gone.
        var gone: Set<String> = []
        /// The time at which a refused pair may become valid.
        var retryAt: Int64?
        /// The reason why the folder could not be listed.
        var problem: String?
        /// The policy's rules, and its pins.
        var policy: EdgeTLSPolicy
        var http2: Bool
        var pins: [SPKIPin]
    }

    private final class State: Sendable {
        let look: Mutex<Look>
        let watch = ExpiryWatch()

        init(_ look: Look) { self.look = Mutex(look) }
    }

    /// Reads the folder for the first time.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - http2: whether clients may use HTTP/2.
    ///   - orders: whether the gateway orders the certificate, which may not be there yet.
    /// - Throws: `SettingsError` if the folder or a pair cannot be served.
    init(
        _ path: String, policy: EdgeTLSPolicy, http2: Bool, orders: Bool = false,
        in environment: DeploymentEnvironment = .development, logger: Logger,
        now: Int64 = UnixTime.seconds()
    ) throws {
        self.path = path
        board = orders ? ChallengeBoard() : nil
        folder = TLSFolder(path) { Self.isExposed($0) }
        let pins = try Self.pins(policy)
        self.logger = logger
        let setting = EdgeListening.folderVariable
        if !path.hasPrefix(Self.mountedFolder) { try FileAccess.requireOwn(path, setting: setting, in: environment) }
        do {
            let files = try Self.files(folder, orders: orders)
            let pairs = try Self.pairs(files, pins, orders: orders, path: path, now: now)
            certificates = try Self.certificates(pairs, policy.minimum, http2: http2, path: path)
            state = State(Look(files: files, policy: policy, http2: http2, pins: pins))
        } catch let problem as TLSFolder.Problem {
            throw SettingsError(setting, problem.description)
        }
        state.watch.look(at: ends, now: now, logger: logger)
    }

    /// The end of each pair that is served, by its name.
    private var ends: [String: Int64] {
        Dictionary(certificates.pairs.map { ($0.name, $0.notAfter) }, uniquingKeysWith: min)
    }

    /// Applies other rules to the certificates in the folder, as at a start.
    ///
    /// - Throws: `SettingsError` if a start would be refused; the old rules and certificates stay.
    func use(_ policy: EdgeTLSPolicy, http2: Bool, now: Int64 = UnixTime.seconds()) throws {
        let pins = try Self.pins(policy)
        try state.look.withLock { look in
            guard policy != look.policy || http2 != look.http2 else { return }
            guard (policy.acme == nil) == (look.policy.acme == nil) else {
                throw SettingsError("edge.tls.acme", "is added or removed, which takes effect only in a restart.")
            }
            let files = try Self.files(folder, orders: board != nil)
            let pairs = try Self.pairs(files, pins, orders: board != nil, path: path, now: now)
            try certificates.replace(with: pairs, minimum: policy.minimum, http2: http2)
            look = Look(files: files, policy: policy, http2: http2, pins: pins)
        }
    }

    /// The policy's rules in effect.
    var policy: EdgeTLSPolicy { state.look.withLock(\.policy) }

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await look(isAsked: false) }
    }

    /// Looks at the folder, on a thread for files.
    ///
    /// - Parameter isAsked: whether an operator requested it, who gets a log line even if nothing has changed.
    func look(isAsked: Bool) async {
        do {
            try await NIOThreadPool.singleton.runIfActive { maintain(isAsked: isAsked, now: UnixTime.seconds()) }
        } catch {
            logger.error("tls.refused", metadata: ["error": "\(error)"])
        }
    }

    /// Reads the files that have changed, serves the valid pairs, and logs the refused ones.
    func maintain(isAsked: Bool, now: Int64) {
        // The lock is held for all of it, so that an operator's look and the regular one run one after the other.
        state.look.withLock { look in
            do {
                let files = try Self.files(folder, orders: board != nil)
                let isDue = !look.gone.isEmpty || look.retryAt.map { $0 <= now } ?? false
                let hasChanged = files != look.files || look.problem != nil
                look.files = files
                look.problem = nil
                if isAsked || hasChanged || isDue { try take(&look, isAsked: isAsked, now: now) }
            } catch {
                let problem = "\(error)"
                if isAsked || look.problem != problem {
                    logger.error("tls.refused", metadata: ["reason": "folder", "error": "\(problem)", "old": "stays"])
                }
                look.problem = problem
            }
        }
        state.watch.look(at: ends, now: now, logger: logger)
    }

    private func take(_ look: inout Look, isAsked: Bool, now: Int64) throws {
        let serving = certificates.pairs
        // An operator may replace files by removing them first, so a pair stays until the look after the one that misses its files.
        let gone = Set(serving.map(\.name)).subtracting(look.files.map(\.name))
        let staying = isAsked ? [] : gone.subtracting(look.gone)
        let judgement = CertificateJudgement.atReload(
            look.files.map(\.entry), serving: serving, staying: staying, pins: look.pins, now: now,
            accepts: TLSCertificates.accepts)
        look.gone = staying
        look.retryAt = judgement.retryAt
        for refused in judgement.refusals { tell(refused, serving: serving) }
        guard !judgement.pairs.isEmpty else {
            logger.error("tls.refused", metadata: ["reason": "no_pair", "old": "stays"])
            return
        }
        guard judgement.pairs != serving else {
            if isAsked, judgement.refusals.isEmpty { logger.info("tls.unchanged") }
            return
        }
        try certificates.replace(with: judgement.pairs)
        logger.notice("tls.reloaded", metadata: ["names": "\(judgement.pairs.map(\.name).joined(separator: ","))"])
    }

    private func tell(_ refused: CertificateJudgement.Refusal, serving: [TLSPair]) {
        let stays = serving.contains { $0.name == refused.name }
        logger.error(
            "tls.refused",
            metadata: [
                "name": "\(refused.name)", "reason": "\(refused.problem.code)", "error": "\(refused.problem)",
                "old": "\(stays ? "stays" : "none")",
            ])
    }

    /// Reads the policy's pins. Leaving out an invalid one would accept other keys.
    static func pins(_ policy: EdgeTLSPolicy) throws(SettingsError) -> [SPKIPin] {
        let pins = policy.pins.compactMap(SPKIPin.init)
        guard pins.count == policy.pins.count else {
            throw SettingsError(
                "edge.tls.pins",
                "contains a text that is not a pin. latchkeyctl tls pins prints those of your certificates.")
        }
        return pins
    }

    /// Returns the files of the folder. A key that waits for the directory's certificate is no pair yet.
    private static func files(
        _ folder: TLSFolder, orders: Bool
    ) throws(TLSFolder.Problem) -> [TLSFolder.Files] {
        try folder.files().filter { !orders || $0.isCertified }
    }

    /// Returns the pairs of the folder.
    ///
    /// - Throws: `SettingsError` if one of them must not be served, or there is none and no directory issues one.
    private static func pairs(
        _ files: [TLSFolder.Files], _ pins: [SPKIPin], orders: Bool, path: String, now: Int64
    ) throws -> [TLSPair] {
        let setting = orders ? ACMEFolder.variable : EdgeListening.folderVariable
        let judgement = CertificateJudgement.atStart(
            files.map(\.entry), pins: pins, now: now, accepts: TLSCertificates.accepts)
        try SettingsReport.requireNone(judgement.refusals.map { "\(setting): \(path)/\($0.name): \($0.problem)" })
        guard !judgement.pairs.isEmpty || orders else {
            throw SettingsError(
                setting,
                "the folder \(path) contains no certificate. Put NAME.crt and NAME.key there (deploy/docs/run/tls.md)."
            )
        }
        return judgement.pairs
    }

    /// Loads the pairs. BoringSSL may still refuse one that libcrypto has read.
    private static func certificates(
        _ pairs: [TLSPair], _ minimum: EdgeTLSPolicy.Version, http2: Bool, path: String
    ) throws(SettingsError) -> TLSCertificates {
        do { return try TLSCertificates(pairs, minimum: minimum, http2: http2) } catch {
            throw SettingsError(EdgeListening.folderVariable, "\(path) cannot be served: \(error)")
        }
    }

    /// The folder in which containers get files of their host. Modes inside the container tell nothing about these.
    private static let mountedFolder = "/run/"

    /// Whether other users of the host can read or replace a key.
    private static func isExposed(_ path: String) -> Bool {
        guard !path.hasPrefix(mountedFolder) else { return false }
        do { try FileAccess.requirePrivate(path, setting: EdgeListening.folderVariable) } catch { return true }
        return false
    }
}
