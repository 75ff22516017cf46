internal import EdgeHTTP
internal import InternalAPI

/// What a request says in `Idempotency-Key`; judged before anything is spent.
enum ClientIdempotencyKey: Equatable {
    case none
    case key(IdempotencyKey)
    /// Not 1–128 visible ASCII characters, or more than one header: which of them counts nobody could say.
    case malformed

    init(_ head: RequestHead) {
        let values = head.all("idempotency-key")
        guard let value = values.first else {
            self = .none
            return
        }
        let key = values.count == 1 ? IdempotencyKey(String(decoding: value, as: UTF8.self)) : nil
        self = key.map { .key($0) } ?? .malformed
    }

    var text: String? { if case .key(let key) = self { key.text } else { nil } }

    /// The call that `request` comes to: the same for its repeat with the same key, else one of its own.
    ///
    /// - Parameters:
    ///   - path: the operation's.
    ///   - user: the id of the one who is signed in; nil for nobody.
    func callID(_ path: String, user: String?, _ request: EndpointRequest) -> String {
        guard case .key(let key) = self else { return CallID.random() }
        return CallID.of(path, key: key, caller: user ?? "", body: request.body)
    }

    /// The answer to a malformed one.
    static let refusal = NativeReply.invalidRequest(
        "The Idempotency-Key must be one header of 1 to 128 visible ASCII characters")

    /// The answer to one that made the very token which it comes with.
    static let spentRefusal = NativeReply.invalidRequest(
        "The Idempotency-Key made this very token; make a new one for each refresh, and keep it for its repeats")
}
