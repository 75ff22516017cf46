/// What the operator asks of token-service about signing keys.
package enum KeyOperations {
    package static let list = InternalOperation<NoBody, KeyList, NoRefusal>(
        .get, "/internal/keys", from: [.control], timeLimit: TimeLimit.ofOperators, repeats: .harmless)
    package static let rotate = InternalOperation<RotateKeyRequest, Done, KeyOperationRefusal>(
        .post, "/internal/keys/rotate", from: [.control], timeLimit: TimeLimit.ofOperators, repeats: .harmless)
    package static let retire = InternalOperation<RetireKeyRequest, Done, KeyOperationRefusal>(
        .post, "/internal/keys/retire", from: [.control], timeLimit: TimeLimit.ofOperators, repeats: .harmless)
    package static let importKey = InternalOperation<ImportKeyRequest, Done, KeyOperationRefusal>(
        .post, "/internal/keys/import", from: [.control], timeLimit: TimeLimit.ofOperators, repeats: .harmless)
}

/// Why a wish about a signing key is not done; the title says it in full.
package enum KeyOperationRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// No key has that `kid`.
    case notFound = "not_found"
    /// The state of the keys speaks against it.
    case keyRefused = "key_refused"

    package var status: Int {
        switch self {
        case .invalidRequest: 400
        case .notFound: 404
        case .keyRefused: 409
        }
    }
}
