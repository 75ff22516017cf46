import NIOSSL
import ServiceKit
import Subprocess

/// The mail server's key and certificate, made at each start for the name localhost.
struct ServerIdentity: Sendable {
    let context: NIOSSLContext

    /// Writes the certificate to `smtp.pem` in `directory`, for `SMTP_CA_FILE`.
    static func make(in directory: String) async throws -> ServerIdentity {
        let (key, certificate) = (directory + "/smtp.key", directory + "/smtp.pem")
        let made = try await Subprocess.run(
            .name("openssl"),
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                certificate,
            ], output: .discarded, error: .discarded)
        guard made.terminationStatus.isSuccess else {
            throw SettingsError(
                "FAKES_CERTIFICATE_DIR",
                "openssl could not make a certificate in the folder \(directory). Is openssl installed, and the folder writable?"
            )
        }
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        return ServerIdentity(context: try NIOSSLContext(configuration: configuration))
    }
}
