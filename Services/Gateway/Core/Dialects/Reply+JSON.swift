import EdgeHTTP
import StrictJSON

extension Reply {
    /// Creates a response with a JSON body, which no cache keeps unless `cacheControl` allows it.
    static func json(
        _ value: some Encodable, status: Int = 200, mediaType: String = "application/json",
        cacheControl: String = "no-store", headers: [(String, String)] = []
    ) -> Reply {
        do {
            let body = try StrictJSON.encode(value)
            return Reply(
                status: status,
                headers: [
                    ("Content-Type", mediaType), ("Cache-Control", cacheControl), ("X-Content-Type-Options", "nosniff"),
                ] + headers, body: body)
        } catch {
            return Reply(status: 500, headers: [], body: [])
        }
    }
}
