import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies
import StrictJSON

/// A request of a Supabase client, as the rows of the dialect read it.
struct SupabaseRequest: Sendable {
    let request: ClientRequest
    let useCases: UseCases
    /// The call with a key of the dialect's own, if the row repeats responses and the client has sent no key.
    let call: ClientCall
    /// `nil` if the body is empty.
    private let body: JSONObject?

    /// - Parameter repeats: how long a response is repeated; `nil` if each request counts.
    init(_ request: ClientRequest, _ useCases: UseCases, repeats: SupabaseRequestKey.Repeats? = nil) throws(Refusal) {
        (self.request, self.useCases) = (request, useCases)
        call = ClientCall(request, derived: repeats.flatMap { SupabaseRequestKey.of(request, $0) })
        guard !request.json.isNothing else {
            body = nil
            return
        }
        guard case .object(let object) = try request.json.whole() else { throw .invalidBody(.notAnObject) }
        body = object
    }

    /// The call without a key of the dialect's own.
    var unkeyed: ClientCall { ClientCall(request) }

    /// Returns a member's value, or `nil` if the body lacks it or has `null` there.
    subscript(name: String) -> JSONValue? { body?[name].flatMap { $0 == .null ? nil : $0 } }

    /// Returns a member's text, or `nil` if there is none or it is empty.
    func text(_ name: String) throws(Refusal) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw .invalidBody(.wrongType(member: name)) }
        return text.isEmpty ? nil : text
    }

    /// Returns the text of a member without which the request makes no sense.
    func needed(_ name: String) throws(Refusal) -> String {
        guard let text = try text(name) else { throw .invalidBody(.missing(member: name)) }
        return text
    }

    /// Returns the member `phone` in the form of E.164, to which clients may omit the `+`, as users' `phone` does.
    func phone() throws(Refusal) -> String? {
        try text("phone").map { phone in
            phone.utf8.allSatisfy { (0x30...0x39).contains($0) } ? "+" + phone : phone
        }
    }

    /// Returns a parameter of the query; `nil` if it is missing, empty, sent twice or not encoded properly.
    func query(_ name: String) -> String? {
        let start = "\(name)="
        let values = (request.head.query ?? "").split(separator: "&").filter { $0.hasPrefix(start) }
        guard values.count == 1, let value = values.first?.dropFirst(start.count), !value.isEmpty else { return nil }
        return FormBody.decode(value.utf8)
    }
}

extension DialectRow {
    /// Creates rows of the dialect `supabase` for a path below `/auth/v1`, and for the bare path at a host of the dialect's own.
    ///
    /// - Parameters:
    ///   - path: the path with its slash, such as `/otp`.
    ///   - repeats: how long a response is repeated without a key of the client's.
    ///   - answer: may throw a `SupabaseError` as well as a `Refusal`.
    static func supabase(
        _ method: HTTPMethod, _ path: String, _ access: Access, counting: Counting = .refused,
        repeats: SupabaseRequestKey.Repeats? = nil,
        answer: @escaping @Sendable (SupabaseRequest) async throws -> Reply
    ) -> [DialectRow] {
        [Policy.supabasePath + path, path].compactMap(RoutePattern.init).map { pattern in
            var row = DialectRow(method, at: pattern, access, counting: counting, ignoresCookies: true) {
                request, useCases throws(Refusal) in
                do {
                    return try await answer(try SupabaseRequest(request, useCases, repeats: repeats))
                } catch let error as SupabaseError {
                    return error.reply
                } catch {
                    throw error as? Refusal ?? .unavailable
                }
            }
            row.isAtHostOnly = pattern.text == path
            return row
        }
    }
}
