import ArgumentParser
import Glibc
import PrivateFiles
import TLSPairs

/// `latchkeyctl tls new-key FILE`
struct TLSNewKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-key",
        abstract: "Makes a private key as a backup of the one in use, and prints its pin.",
        discussion: """
            The file is PKCS#8 in PEM with a P-256 key, not encrypted, mode 0600. An existing file is never overwritten. Keep \
            the key away from the server, for the day on which the key in use is lost. Put its pin into the policy's \
            edge.tls.pins and into the apps before that day.
            """)

    @Argument(help: "The new file.")
    var file: String

    func run() async throws { print(try Self.make(file)) }

    /// Makes the file.
    ///
    /// - Returns: The key's pin.
    static func make(_ file: String) throws -> SPKIPin {
        do {
            let key = try NewTLSKey.pem()
            let pin = try SPKIPin(ofKeyPEM: key)
            try PrivateFile.create(file)
            try write(key, to: file)
            return pin
        } catch {
            throw error as? CommandFailure ?? CommandFailure(description: "\(error)")
        }
    }

    private static func write(_ key: [UInt8], to file: String) throws {
        let descriptor = unsafe open(file, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(description: "cannot open the file \(file)") }
        defer { close(descriptor) }
        try FileBytes.write(key, to: descriptor)
        // A backup must be on the disk, so that it survives a power failure.
        guard fsync(descriptor) == 0 else {
            throw CommandFailure(description: "cannot write the file \(file) to the disk")
        }
    }
}
