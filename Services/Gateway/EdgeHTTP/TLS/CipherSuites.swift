import NIOSSL

/// Suites of TLS 1.2 with forward secrecy and authenticated encryption. Version 1.3 has no others.
enum CipherSuites {
    /// The suites for clients. They have AES with 128 bits only: NIOSSL follows the client's order, which then cannot choose a
    /// weaker one.
    static let served: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The suites for upstreams, some of which support AES with 256 bits only.
    static let offered =
        served + [
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        ]
}
