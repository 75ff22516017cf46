package import HTTPTypes
package import Hummingbird
internal import InternalAPI
internal import NIOCore
internal import StrictJSON

/// Decodes the JSON body of an asserted request, strictly (security guide R-99).
///
/// - Throws: `ServiceProblem` 400 `invalid_request`.
package func decodeBody<Value: Decodable>(
    _ type: Value.Type, from context: ServiceRequestContext
) throws(ServiceProblem) -> Value {
    do {
        return try StrictJSON.decode(
            type, from: context.body, limits: .init(bytesMax: ServiceLimits.bodyBytesMax, depthMax: 16))
    } catch {
        throw ServiceProblem(.badRequest, code: InternalCode.invalidRequest, "The body is not what was agreed")
    }
}

/// An answer with a JSON body.
package func jsonResponse(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let body = try StrictJSON.encode(value)
    return Response(
        status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(bytes: body)))
}
