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
        case .unknown(let kid): "no key has the kid \(kid)"
        case .nameIsTaken(let kid): "a key with the kid \(kid) exists or has existed"
        case .isInFile(let kid):
            "\(kid) is a secret of the file jwt_hs256: take its line out and send SIGHUP to all who read it"
        case .isUnderWay(let kid):
            "a rotation is under way: \(kid) waits for its time to sign (rotate --now skips that)"
        case .tooMany: "there are \(KeyRotation.keyCountMax) live keys; wait until retiring ones are gone"
        }
    }
}
