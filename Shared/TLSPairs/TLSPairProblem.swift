// Either module may be the one that declares `tm`, by the order in which the compiler loads them.
import COpenSSL
import Glibc

/// Why a certificate and its key are not served; contains nothing of the key.
package enum TLSPairProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// One of the two files does not exist, or cannot be read.
    case unreadable(file: String)
    /// A file is not PEM, contains a broken object, or more than a chain needs.
    case malformed(file: String)
    /// The key belongs to another certificate.
    case keyMismatch
    /// A certificate of the chain is not signed by the next one.
    case brokenChain
    /// A key or a signature is weak enough to be forged.
    case weak(String)
    /// The key's type or curve is not supported by all clients, however strong it is.
    case unsupportedKey(String)
    /// The certificate has no name that a client could request.
    case nameless
    /// A certificate of the chain expired at this time (Unix seconds).
    case expired(Int64)
    /// A certificate of the chain is not valid before this time (Unix seconds).
    case notYetValid(Int64)
    /// The policy pins other keys.
    case unpinned(SPKIPin)
    /// The TLS library does not accept the pair.
    case unusable
    /// Other users of the host can read or replace the private key.
    case exposedKey

    package var description: String {
        switch self {
        case .unreadable(let file): "\(file) is not there or cannot be read"
        case .malformed(let file): "\(file) is not PEM as it is needed here, or only a part of it"
        case .keyMismatch: "the key is of another certificate"
        case .brokenChain: "the chain is not in order: each certificate must be signed by the next"
        case .weak(let what): "\(what) is too weak"
        case .unsupportedKey(let what): what
        case .nameless: "the certificate names no host and no address"
        case .expired(let time): "a certificate of the chain expired at \(Self.text(time))"
        case .notYetValid(let time): "a certificate of the chain is not valid before \(Self.text(time))"
        case .unpinned(let pin): "its key is not among the policy's edge.tls.pins: \(pin)"
        case .unusable: "the TLS library does not take it"
        case .exposedKey:
            "other users of this host can read or replace the key: it must belong to the gateway's user or root, mode 600"
        }
    }

    /// Returns a time in UTC (ISO 8601).
    private static func text(_ time: Int64) -> String {
        var seconds = time_t(time)
        var parts = unsafe tm()
        var text = [CChar](repeating: 0, count: 32)
        guard unsafe gmtime_r(&seconds, &parts) != nil,
            unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0
        else { return "\(time) (Unix time)" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A word for logs and alarms.
    package var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .malformed: "malformed"
        case .keyMismatch: "key_mismatch"
        case .brokenChain: "broken_chain"
        case .weak: "weak"
        case .unsupportedKey: "unsupported_key"
        case .nameless: "nameless"
        case .expired: "expired"
        case .notYetValid: "not_yet_valid"
        case .unpinned: "unpinned"
        case .unusable: "unusable"
        case .exposedKey: "exposed_key"
        }
    }
}
