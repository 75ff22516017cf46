package import HTTPTypes
package import Hummingbird
import NIOCore
import StrictJSON

/// Returns a response with a JSON body.
package func jsonResponse(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let body = try StrictJSON.encode(value)
    return Response(
        status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(bytes: body)))
}
