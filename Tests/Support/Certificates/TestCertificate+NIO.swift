package import NIOSSL

extension TestCertificate {
    /// Returns the TLS of a server with this certificate.
    package func server(from version: TLSVersion = .tlsv12, to latest: TLSVersion? = nil) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        configuration.minimumTLSVersion = version
        configuration.maximumTLSVersion = latest
        return try NIOSSLContext(configuration: configuration)
    }
}
