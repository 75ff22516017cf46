/// Operations of token-service on signing keys, for the operator.
package enum KeyOperations {
    package static let list = InternalOperation<NoBody, KeyList, NoRefusal>(
        .get, "/internal/keys", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let rotate = InternalOperation<RotateKeyRequest, Done, KeyOperationRefusal>(
        .post, "/internal/keys/rotate", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let retire = InternalOperation<RetireKeyRequest, Done, KeyOperationRefusal>(
        .post, "/internal/keys/retire", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let importKey = InternalOperation<ImportKeyRequest, Done, KeyOperationRefusal>(
        .post, "/internal/keys/import", from: [.control], timeLimit: TimeLimit.ofOperators)
}

/// Why an operation on a signing key is refused; the title gives the details.
package enum KeyOperationRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// No key has that `kid`.
    case notFound = "not_found"
    /// The current state of the keys does not allow it.
    case keyRefused = "key_refused"
}
