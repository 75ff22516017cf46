import InternalAPI

extension WireExamples {
    /// What goes to and from the operations of `KeyOperations`.
    static func key() throws -> [WireText] {
        [
            try WireText(
                "Key.list", "GET", KeyContract.listPath, from: ["control"],
                requests: [Done](),
                answers: [
                    KeyList(
                        algorithms: ["RS256"],
                        keys: KeyState.allCases.map {
                            KeyFacts(
                                kid: "k1", algorithm: "RS256", state: $0, stateSince: 1, createdAt: 2, nextStateAt: 3)
                        } + [KeyFacts(kid: "k2", algorithm: "HS256", state: .signing)])
                ],
                refusals: []),
            try WireText(
                "Key.rotate", "POST", KeyContract.rotatePath, from: ["control"],
                requests: [
                    RotateKeyRequest(kid: "k1", algorithm: "RS256", now: true)
                ],
                answers: [
                    Done()
                ],
                refusals: [(400, "invalid_request"), (404, "not_found"), (409, "key_refused")]),
            try WireText(
                "Key.retire", "POST", KeyContract.retirePath, from: ["control"],
                requests: [
                    RetireKeyRequest(kid: "k1")
                ],
                answers: [
                    Done()
                ],
                refusals: [(400, "invalid_request"), (404, "not_found"), (409, "key_refused")]),
            try WireText(
                "Key.importKey", "POST", KeyContract.importPath, from: ["control"],
                requests: [
                    ImportKeyRequest(kid: "k1", algorithm: "ES256", pem: "-----BEGIN PRIVATE KEY-----\nAA/B\n")
                ],
                answers: [
                    Done()
                ],
                refusals: [(400, "invalid_request"), (404, "not_found"), (409, "key_refused")]),
        ]
    }
}
