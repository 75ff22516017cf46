import EdgeHTTP
import InternalAPI

/// What a request says in `Idempotency-Key`.
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
}
