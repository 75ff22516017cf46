import Hummingbird
import StrictJSON

/// Bodies of requests to the fakes.
enum FakeJSON {
    /// - Throws: `HTTPError` 400 for a body that is not such JSON.
    static func decode<Body: Decodable>(
        _ type: Body.Type, from request: Request, upTo limit: Int
    ) async throws -> Body {
        try decode(type, from: Array(try await request.body.collect(upTo: limit).readableBytesView))
    }

    static func decode<Body: Decodable>(_ type: Body.Type, from bytes: [UInt8]) throws -> Body {
        do { return try StrictJSON.decode(type, from: bytes, limits: .own) } catch { throw HTTPError(.badRequest) }
    }
}
