internal import EdgeHTTP
internal import StrictJSON

/// Reading of clients' JSON bodies, whose size was judged before they were read.
enum ClientBody {
    static let depthMax = 16

    /// The decoded body, or the 400 that says what is wrong with it; unknown members are passed over, never assigned.
    static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Result<Value, InvalidBody> {
        do {
            return .success(
                try StrictJSON.decode(type, from: body, limits: .init(bytesMax: body.count, depthMax: depthMax)))
        } catch is StrictJSONError {
            return .failure(InvalidBody(reply: NativeReply.invalidRequest("The body is not valid JSON")))
        } catch let error as DecodingError {
            return .failure(InvalidBody(reply: NativeReply.invalidRequest(sentence(error))))
        } catch {
            return .failure(InvalidBody(reply: NativeReply.invalidRequest("The body does not fit")))
        }
    }

    /// Names the member, never its value.
    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "The member '\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "The body must be a JSON object"
                : "The member '\(context.codingPath.map(\.stringValue).joined(separator: "."))' has the wrong type"
        @unknown default: "The body does not fit"
        }
    }
}

/// A body that was refused, with the answer to it.
struct InvalidBody: Error {
    let reply: Reply
}
