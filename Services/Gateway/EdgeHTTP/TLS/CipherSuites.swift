import NIOSSL

/// Suites of TLS 1.2: forward secret, and with what is encrypted authenticated too. Version 1.3 has no others.
enum CipherSuites {
    /// To clients. Of AES with 128 bits alone: NIOSSL takes the client's order, and so there is none to choose a weaker one by.
    static let served: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// To upstreams, some of which have AES with 256 bits alone.
    static let offered =
        served + [
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        ]
}
