internal import FoundationEssentials
package import HTTPTypes
package import Hummingbird
internal import InternalAPI
internal import NIOCore
internal import StrictJSON

/// Decodes a request's JSON body after a strict check (security guide R-99).
///
/// - Throws: `ServiceProblem` 400 `invalid_request`.
package func decodeBody<Value: Decodable>(
    _ type: Value.Type, from request: Request, context: ServiceRequestContext
) async throws -> Value {
    let buffer = try await request.body.collect(upTo: context.maxUploadSize)
    let bytes = Array(buffer.readableBytesView)
    do {
        try StrictJSON.validate(bytes, limits: .init(bytesMax: ServiceLimits.bodyBytesMax, depthMax: 16))
        return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
        throw ServiceProblem(.badRequest, code: InternalCode.invalidRequest, "The body is not what was agreed")
    }
}

/// An answer with a JSON body.
package func jsonResponse(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let body = try JSONEncoder().encode(value)
    return Response(
        status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(bytes: body)))
}
