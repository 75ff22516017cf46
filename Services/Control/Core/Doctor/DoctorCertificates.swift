import FoundationEssentials
import InternalAPI
import Policies
import ServiceHTTP
import ServiceKit
import TLSPairs

/// Checks the certificates that the gateway serves, and the one of a service's own port.
struct DoctorCertificates: Sendable {
    private static let daySeconds: Int64 = 86_400
    /// Certificates of public authorities are renewed a month before their end.
    private static let warningDays: Int64 = 14

    let context: ProcessContext

    func findings(of process: Caller) -> [Finding] {
        do { return process == .gateway ? try ofGateway() : try ofService() } catch {
            return Finding.faults("certificate", error)
        }
    }

    private func ofGateway() throws -> [Finding] {
        guard context.settings.variable("LATCHKEY_TLS_LISTEN") != nil else { return [] }
        let (settings, tls) = (context.settings, context.policy.edge.tls)
        let pins = tls.pins.compactMap(SPKIPin.init)
        let host = try context.publicURL()?.host
        if tls.acme != nil, let folder = settings.variable("LATCHKEY_ACME_DIR") {
            let files = try TLSFolder(folder).files().filter(\.isCertified)
            guard !files.isEmpty else {
                let text = "the directory of edge.tls.acme has issued none yet. Look for acme.failed in the log"
                return [.fault("certificate", text)]
            }
            return Self.judged(files.map(\.entry), host: host, pins: pins, now: UnixTime.seconds())
        }
        return Self.judged(
            try TLSFolder(settings.text("LATCHKEY_TLS_DIR") ?? "").read(), host: host, pins: pins,
            now: UnixTime.seconds())
    }

    private func ofService() throws -> [Finding] {
        guard let certificate = try ServiceCertificate(context.settings) else { return [] }
        return [Self.judged(validUntil: certificate.notAfter, now: UnixTime.seconds())]
    }

    /// Judges the certificate for calls from other hosts by its last Unix second.
    static func judged(validUntil end: Int64, now: Int64) -> Finding {
        let subject = "for calls from other hosts"
        guard now <= end else { return .fault("certificate", "\(subject): it has expired. Renew it") }
        return judged(subject, days: (end - now) / daySeconds)
    }

    /// - Parameters:
    ///   - host: The host of the public URL; `nil` if it is not known.
    ///   - pins: The policy's pins.
    ///   - now: Unix time in seconds.
    static func judged(_ entries: [TLSFolder.Entry], host: String?, pins: [SPKIPin], now: Int64) -> [Finding] {
        var findings: [Finding] = []
        var pairs: [TLSPair] = []
        for entry in entries {
            switch entry.result {
            case .failure(let problem): findings.append(.fault("certificate", "\(entry.name): \(problem)"))
            case .success(let pair):
                pairs.append(pair)
                findings.append(judged(pair, pins: pins, now: now))
            }
        }
        guard !entries.isEmpty else {
            return [
                .fault("certificate", "there is none. Put NAME.crt and NAME.key into the folder of LATCHKEY_TLS_DIR")
            ]
        }
        if let host, !pairs.contains(where: { $0.covers(host: host) }) {
            let names = pairs.flatMap(\.names).joined(separator: ", ")
            findings.append(
                .fault("certificate", "none is for \(host), the host of LATCHKEY_PUBLIC_URL; they are for \(names)"))
        }
        return findings
    }

    private static func judged(_ pair: TLSPair, pins: [SPKIPin], now: Int64) -> Finding {
        if let problem = pair.problem(pins: pins, now: now) {
            return .fault("certificate", "\(pair.name): \(problem)")
        }
        let days = (pair.notAfter - now) / daySeconds
        return judged("\(pair.name): \(pair.names.joined(separator: ", "))", days: days)
    }

    private static func judged(_ subject: String, days: Int64) -> Finding {
        let text = "\(subject), \(days) days left"
        return days < warningDays ? .warning("certificate", "\(text). Renew it") : .ok("certificate", text)
    }
}
