import FoundationEssentials
import Policies
import PrivateFiles
import ServiceKit
import SupervisorCore
import TLSPairs

/// An authority for Latchkey's own processes, with the certificates that it has issued, in a folder of its own.
struct InternalAuthority {
    /// The name of the authority's files.
    static let name = "internal-ca"
    private static let lifetimeSeconds = 3650 * 86_400
    private static let hostLifetimeSeconds = 365 * 86_400
    private static let fileBytesMax = 64 * 1024

    let folder: String
    private let now: Int64

    /// - Parameter now: Unix time in seconds.
    init(folder: String, now: Int64 = UnixTime.seconds()) {
        self.folder = folder
        self.now = now
    }

    /// Renews the certificates in the folder and those of `hosts`, and makes what is missing.
    ///
    /// - Returns: A line for each certificate, with its end.
    /// - Throws: `CommandFailure`.
    func renew(_ hosts: [InternalHost]) throws -> [String] {
        do {
            try SecretsFolder(folder).create()
            try FileAccess.requireOwn(folder, setting: "folder", in: .development)
            let pairs = try TLSFolder(folder).read().filter { $0.name != Self.name }
            if !PrivateFile.exists("\(folder)/\(Self.name).crt") { try requireIssued(pairs, by: nil) }
            let authority = try authority()
            try requireIssued(pairs, by: authority.certificate)
            var lines = [try line(Self.name, "the authority")]
            let named = Dictionary(hosts.map { ($0.names[0], $0) }, uniquingKeysWith: { $1 })
            let known = try known(pairs.filter { named[$0.name] == nil })
            for (name, host) in named.merging(known, uniquingKeysWith: { $1 }).sorted(by: {
                $0.key < $1.key
            }) {
                try issue(name, host, by: authority)
                lines.append(try line(name, host.names.joined(separator: ", ")))
            }
            return lines
        } catch {
            throw error as? CommandFailure ?? CommandFailure(description: "\(error)")
        }
    }

    /// Refuses to replace certificates that the authority did not issue.
    private func requireIssued(_ pairs: [TLSFolder.Entry], by authority: [UInt8]?) throws {
        for name in pairs.map(\.name) where PrivateFile.exists("\(folder)/\(name).crt") {
            let certificate = try PrivateFile.bytes("\(folder)/\(name).crt", max: Self.fileBytesMax)
            guard let authority, NewCertificate.isSigned(certificate, by: authority) else {
                throw CommandFailure(
                    description: "\(name).crt in \(folder) is of another authority. Name a folder of its own.")
            }
        }
    }

    private func known(_ pairs: [TLSFolder.Entry]) throws -> [String: InternalHost] {
        Dictionary(try pairs.map { ($0.name, InternalHost(of: try $0.result.get())) }, uniquingKeysWith: { $1 })
    }

    private func issue(_ name: String, _ host: InternalHost, by authority: (certificate: [UInt8], key: [UInt8])) throws
    {
        let left = try NewCertificate.notAfter(of: authority.certificate, file: "\(Self.name).crt") - now
        // Callers also check the authority's own validity, so a longer one of the host would mislead.
        let lifetime = min(Self.hostLifetimeSeconds, Int(clamping: left))
        let certificate = NewCertificate.server(name, names: host.text, lifetimeSeconds: lifetime)
        try write(try certificate.text(of: try key(name), signedBy: authority), name)
    }

    /// Returns the authority in the folder, or makes one.
    private func authority() throws -> (certificate: [UInt8], key: [UInt8]) {
        let hasCertificate = PrivateFile.exists("\(folder)/\(Self.name).crt")
        guard !hasCertificate || PrivateFile.exists("\(folder)/\(Self.name).key") else {
            throw CommandFailure(
                description: "\(folder) has \(Self.name).crt without \(Self.name).key. Put the key there.")
        }
        let key = try key(Self.name)
        guard hasCertificate else {
            let made = try NewCertificate.authority("Latchkey internal", lifetimeSeconds: Self.lifetimeSeconds).text(
                of: key)
            try write(made, Self.name)
            return (made, key)
        }
        let known = try PrivateFile.bytes("\(folder)/\(Self.name).crt", max: Self.fileBytesMax)
        guard NewCertificate.isValid(known, of: key, inSeconds: 0) else {
            throw CommandFailure(
                description:
                    "the authority in \(folder) has expired, or its key is of another one. Make one in a new folder, and put "
                    + "both certificates into the file of LATCHKEY_INTERNAL_CA until every host has its new one.")
        }
        return (known, key)
    }

    /// Reads a key, or makes it.
    private func key(_ name: String) throws -> [UInt8] {
        let path = "\(folder)/\(name).key"
        guard !PrivateFile.exists(path) else { return try PrivateFile.bytes(path, max: Self.fileBytesMax) }
        let made = try NewTLSKey.pem()
        try PrivateFile.write(made, to: path)
        return made
    }

    private func write(_ certificate: [UInt8], _ name: String) throws {
        try PrivateFile.write(certificate, to: "\(folder)/\(name).crt", mode: 0o644)
    }

    private func line(_ name: String, _ subject: String) throws -> String {
        let file = "\(name).crt"
        let text = try PrivateFile.bytes("\(folder)/\(file)", max: Self.fileBytesMax)
        return "\(file): \(subject), valid until \(TimeText.text(try NewCertificate.notAfter(of: text, file: file)))"
    }
}
