import FoundationEssentials
import Glibc

/// A folder of certificates: pairs of `NAME.crt`, a chain in PEM, and `NAME.key`.
package struct TLSFolder: Sendable {
    /// The path at which it is mounted by default.
    package static let usualPath = "/run/tls"
    /// The maximum number of pairs in a folder.
    package static let pairsMax = 64

    /// The folder cannot be listed, or contains too much.
    package struct Problem: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The two files of one name with their current contents; `nil` if a file does not exist or cannot be read.
    package struct Files: Sendable, Equatable {
        package let name: String
        let certificate: [UInt8]?
        let key: [UInt8]?
        /// Whether other users of the host can read or replace the key.
        let isKeyExposed: Bool

        /// Whether there is a certificate, and not only a key.
        package var isCertified: Bool { certificate != nil }
    }

    /// The pair of one name, or the reason why it cannot be used.
    package struct Entry: Sendable {
        package let name: String
        package let result: Result<TLSPair, TLSPairProblem>

        package init(name: String, result: Result<TLSPair, TLSPairProblem>) {
            self.name = name
            self.result = result
        }
    }

    private let path: String
    private let isExposed: @Sendable (String) -> Bool

    /// - Parameter isExposed: Whether other users of the host can read or replace the file at a path.
    package init(_ path: String, isExposed: @escaping @Sendable (String) -> Bool = { _ in false }) {
        self.path = path
        self.isExposed = isExposed
    }

    /// Reads all pairs, sorted by name.
    package func read() throws(Problem) -> [Entry] { try files().map(\.entry) }

    /// Returns the current files, sorted by name; the result is equal as long as no file has changed.
    package func files() throws(Problem) -> [Files] {
        let listed: [String]
        do { listed = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw Problem(
                description:
                    "the folder \(path) does not exist or cannot be read. Put NAME.crt and NAME.key there (deploy/docs/run/tls.md)."
            )
        }
        let names = Set(listed.compactMap(Self.name)).sorted()
        guard names.count <= Self.pairsMax else {
            throw Problem(
                description: "the folder \(path) contains \(names.count) pairs. Keep at most \(Self.pairsMax).")
        }
        return names.map { name in
            let key = "\(path)/\(name).key"
            return Files(
                name: name, certificate: Self.contents("\(path)/\(name).crt"), key: Self.contents(key),
                isKeyExposed: isExposed(key))
        }
    }

    /// Returns the name of the pair that a file belongs to; `nil` for other files, and for hidden ones, which are still
    /// being written.
    private static func name(ofFile file: String) -> String? {
        guard !file.hasPrefix("."), let dot = file.lastIndex(of: "."), [".crt", ".key"].contains(file[dot...]) else {
            return nil
        }
        return String(file[..<dot])
    }

    /// Returns the bytes of a file; `nil` if it does not exist, is not a regular file, or is larger than any chain.
    private static func contents(_ path: String) -> [UInt8]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= LibcryptoCertificate.fileBytesMax
        else { return nil }
        return FileManager.default.contents(atPath: path).map(Array.init)
    }
}

/// Never shows the key.
extension TLSFolder.Files: CustomStringConvertible, CustomReflectable {
    package var description: String { "files of \(name)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension TLSFolder.Files {
    /// The pair that the files contain.
    package var entry: TLSFolder.Entry { TLSFolder.Entry(name: name, result: Result(catching: pair)) }

    private func pair() throws(TLSPairProblem) -> TLSPair {
        guard let certificate else { throw .unreadable(file: "\(name).crt") }
        guard let key else { throw .unreadable(file: "\(name).key") }
        guard !isKeyExposed else { throw .exposedKey }
        return try TLSPair(name: name, certificatePEM: certificate, keyPEM: key)
    }
}
