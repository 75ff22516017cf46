import InternalAPI

extension WireExamples {
    /// Requests and responses of `KeyOperations`.
    static func key() throws -> [WireText] {
        [
            try WireText(
                "Key.list", KeyOperations.list,
                answers: [
                    KeyList(
                        algorithms: ["RS256"],
                        keys: KeyState.allCases.map {
                            KeyFacts(
                                kid: "k1", algorithm: "RS256", state: $0, stateSince: 1, createdAt: 2, nextStateAt: 3)
                        } + [KeyFacts(kid: "k2", algorithm: "HS256", state: .signing)])
                ]),
            try WireText(
                "Key.rotate", KeyOperations.rotate,
                requests: [
                    RotateKeyRequest(kid: "k1", algorithm: "RS256", now: true)
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Key.retire", KeyOperations.retire,
                requests: [
                    RetireKeyRequest(kid: "k1")
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "Key.importKey", KeyOperations.importKey,
                requests: [
                    ImportKeyRequest(kid: "k1", algorithm: "ES256", pem: "-----BEGIN PRIVATE KEY-----\nAA/B\n")
                ],
                answers: [
                    Done()
                ]),
        ]
    }
}
