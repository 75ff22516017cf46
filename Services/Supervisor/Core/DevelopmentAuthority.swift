import Glibc
import TLSPairs

/// This machine's own certificate authority for development, and the gateway's certificate from it.
///
/// People install the authority on their phones. If its key is stolen, it can still vouch only for names of this machine and
/// for IP addresses: devices refuse its certificates for other names (name constraints, RFC 5280 section 4.2.1.10).
enum DevelopmentAuthority {
    private static let lifetimeSeconds = 3650 * 86_400
    /// The validity of the served certificate. Apple's systems accept no longer one.
    private static let servedSeconds = 397 * 86_400
    /// An authority that expires within this time is replaced.
    private static let renewedBeforeSeconds = 60 * 86_400
    /// The address at which an emulator of Android reaches this machine.
    private static let emulatorsHost = "10.0.2.2"

    /// Makes the files that are missing in the data directory, and the gateway's certificate for this machine's current names.
    /// The gateway's key stays the same, for apps that pin it.
    ///
    /// - Parameter address: This machine's IP address in its network.
    static func complete(in data: DataDirectory, address: String?) throws(StartFailure) {
        for folder in [data.tls, data.tlsPairs] { try StateFile.makeDirectory(folder) }
        let host = hostName()
        let issuer = try authority(in: data, host: host)
        let knownHost = StateFile.read(data.tls + "/host").flatMap { $0.isEmpty ? nil : $0 }
        let key = try key(data.tlsPairs + "/default.key")
        let served = NewCertificate.server(
            host ?? "localhost",
            names: alternativeNames(host: host, isVouchedFor: host == knownHost, address: address),
            lifetimeSeconds: servedSeconds)
        try write(try text(of: served, key, signedBy: issuer), to: data.tlsPairs + "/default.crt")
    }

    /// Returns the names of the gateway's certificate, as openssl writes them.
    ///
    /// - Parameters:
    ///   - host: This machine's name.
    ///   - isVouchedFor: Whether this was the name when the authority was made. If a certificate has a name that the authority
    ///     must not vouch for, devices refuse the whole certificate.
    static func alternativeNames(host: String?, isVouchedFor: Bool, address: String?) -> String {
        let hosts = ["localhost"] + (host.map { isVouchedFor ? [$0, "\($0).local"] : [] } ?? [])
        let addresses = ["127.0.0.1", "::1", emulatorsHost] + (address.map { [$0] } ?? [])
        return (hosts.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }).joined(separator: ",")
    }

    private static func authority(
        in data: DataDirectory, host: String?
    ) throws(StartFailure) -> (certificate: [UInt8], key: [UInt8]) {
        let key = try key(data.tls + "/ca.key")
        if let known = StateFile.read(data.tlsAuthority).map({ Array($0.utf8) }),
            NewCertificate.isValid(known, of: key, inSeconds: renewedBeforeSeconds)
        {
            return (known, key)
        }
        let names = ["localhost"] + (host.map { [$0, "\($0).local"] } ?? [])
        let authority = NewCertificate.authority(
            "Latchkey development (\(host ?? "localhost"))", lifetimeSeconds: lifetimeSeconds, onlyFor: names)
        let text = try text(of: authority, key)
        try StateFile.write(host ?? "", to: data.tls + "/host")
        try write(text, to: data.tlsAuthority)
        return (text, key)
    }

    /// Reads the key of a file, or makes the key and the file.
    private static func key(_ path: String) throws(StartFailure) -> [UInt8] {
        if let known = StateFile.read(path), !known.isEmpty { return Array(known.utf8) }
        let made: [UInt8]
        do { made = try NewTLSKey.pem() } catch { throw StartFailure(error.description) }
        try write(made, to: path)
        return made
    }

    private static func text(
        of certificate: NewCertificate, _ key: [UInt8], signedBy issuer: (certificate: [UInt8], key: [UInt8])? = nil
    ) throws(StartFailure) -> [UInt8] {
        do { return try certificate.text(of: key, signedBy: issuer) } catch { throw StartFailure(error.description) }
    }

    private static func write(_ text: [UInt8], to path: String) throws(StartFailure) {
        try StateFile.write(String(decoding: text, as: UTF8.self), to: path)
    }

    /// Returns this machine's name without its domain, if a certificate can contain it.
    private static func hostName() -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let label = name.prefix { $0 != "." }.lowercased()
        let isName = label.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        return isName && (1...63).contains(label.utf8.count) && label != "localhost" ? label : nil
    }
}
