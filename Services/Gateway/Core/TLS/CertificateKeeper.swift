import CoreMetrics
import EdgeHTTP
import Logging
import NIOPosix
import Policies
import ServiceKit
import ServiceLifecycle
import Synchronization
import TLSPairs

/// Keeps what clients are shown equal to what lies in the folder of certificates, as far as that is fit to be shown.
///
/// Looks at SIGHUP and every `interval`; only files that have changed are judged, so that each refusal is told once.
struct CertificateKeeper: Service {
    /// A change is seen within this.
    static let interval: Duration = .seconds(20)

    let certificates: TLSCertificates
    private let state: State
    private let folder: TLSFolder
    private let pins: [SPKIPin]
    private let logger: Logger

    /// What was last looked at.
    private final class State: Sendable {
        let files: Mutex<[TLSFolder.Files]>
        let watch = ExpiryWatch()

        init(_ files: [TLSFolder.Files]) { self.files = Mutex(files) }
    }

    /// Reads the folder for the first time.
    ///
    /// - Parameter path: of the folder.
    /// - Throws: `SettingsError` for a folder or a pair that cannot be served.
    init(_ path: String, policy: EdgeTLSPolicy, logger: Logger, now: Int64 = UnixTime.seconds()) throws {
        folder = TLSFolder(path) { Self.isExposed($0) }
        pins = policy.pins.compactMap(SPKIPin.init)
        self.logger = logger
        let setting = EdgeListening.folderVariable
        do {
            let files = try folder.files()
            let judgement = CertificateJudgement.atStart(files.map(\.entry), pins: pins, now: now)
            if let refused = judgement.refusals.first {
                throw SettingsError(setting, "\(path)/\(refused.name): \(refused.problem)")
            }
            guard !judgement.pairs.isEmpty else {
                throw SettingsError(setting, "\(path) holds no pair of NAME.crt and NAME.key")
            }
            certificates = try Self.certificates(judgement.pairs, policy.minimum, path: path)
            state = State(files)
        } catch let problem as TLSFolder.Problem {
            throw SettingsError(setting, problem.description)
        }
        state.watch.look(at: certificates.pairs, now: now, logger: logger)
    }

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await look(isAsked: false) }
    }

    /// Looks at the folder, on a thread for files.
    ///
    /// - Parameter isAsked: by an operator, who wants to know how it went, even if nothing has changed.
    func look(isAsked: Bool) async {
        do {
            try await NIOThreadPool.singleton.runIfActive { tend(isAsked: isAsked, now: UnixTime.seconds()) }
        } catch {
            logger.error("tls.refused", metadata: ["error": "\(error)"])
        }
    }

    /// Reads what has changed, shows what is fit, tells what is not.
    func tend(isAsked: Bool, now: Int64) {
        // Held for all of it: an operator's look and the one that is due anyway come one after the other.
        state.files.withLock { known in
            do {
                let files = try folder.files()
                let hasChanged = files != known
                known = files
                if isAsked || hasChanged { try take(files, now: now) }
            } catch {
                logger.error("tls.refused", metadata: ["error": "\(error)"])
            }
        }
        state.watch.look(at: certificates.pairs, now: now, logger: logger)
    }

    private func take(_ files: [TLSFolder.Files], now: Int64) throws {
        let serving = certificates.pairs
        let judgement = CertificateJudgement.atReload(files.map(\.entry), serving: serving, pins: pins, now: now)
        for refused in judgement.refusals {
            let stays = serving.contains { $0.name == refused.name }
            logger.error(
                "tls.refused",
                metadata: [
                    "name": "\(refused.name)", "reason": "\(refused.problem.code)", "error": "\(refused.problem)",
                    "old": "\(stays ? "stays" : "none")",
                ])
        }
        guard !judgement.pairs.isEmpty else {
            logger.error("tls.refused", metadata: ["reason": "no_pair", "old": "stays"])
            return
        }
        guard judgement.pairs != serving else { return }
        try certificates.replace(with: judgement.pairs)
        logger.notice(
            "tls.reloaded", metadata: ["names": "\(judgement.pairs.map(\.name).joined(separator: ","))"])
    }

    /// What libcrypto reads BoringSSL may still refuse.
    private static func certificates(
        _ pairs: [TLSPair], _ minimum: EdgeTLSPolicy.Version, path: String
    ) throws(SettingsError) -> TLSCertificates {
        do { return try TLSCertificates(pairs, minimum: minimum) } catch {
            throw SettingsError(EdgeListening.folderVariable, "\(path) cannot be served: \(error)")
        }
    }

    /// Modes of what a container's host has mounted say nothing of the host.
    private static func isExposed(_ path: String) -> Bool {
        guard !path.hasPrefix("/run/") else { return false }
        do { try FileAccess.requirePrivate(path, setting: EdgeListening.folderVariable) } catch { return true }
        return false
    }
}
