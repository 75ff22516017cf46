/// The reason why an operator's request about a signing key is refused; the text is for the operator.
enum KeyRefusal: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    /// A `kid` is never used twice, not even after its key is gone.
    case nameIsTaken(String)
    /// The key is a secret of the file `jwt_hs256`.
    case isInFile(String)
    /// Another key already waits to become the signing one.
    case isUnderWay(String)
    case tooMany

    var description: String {
        switch self {
        case .unknown(let kid): "there is no key with the kid \(kid); keys list shows them"
        case .nameIsTaken(let kid): "a key with the kid \(kid) exists or has existed; use another kid"
        case .isInFile(let kid):
            "\(kid) is a secret of the file jwt_hs256: remove its line, and send SIGHUP to gateway, token- and user-service"
        case .isUnderWay(let kid):
            "a rotation is in progress: \(kid) signs after the lead time, or at once with keys rotate --now"
        case .tooMany:
            "there are \(KeyRotation.keyCountMax) live keys, which is the maximum; wait until retiring ones are gone"
        }
    }
}
