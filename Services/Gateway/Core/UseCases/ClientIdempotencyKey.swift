import EdgeHTTP
import InternalAPI

/// The content of a request's `Idempotency-Key`.
enum ClientIdempotencyKey: Equatable {
    case none
    case key(IdempotencyKey)
    /// The key is not 1–128 visible ASCII characters, or there is more than one header, so that it is unclear which counts.
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
