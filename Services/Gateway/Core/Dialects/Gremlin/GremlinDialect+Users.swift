import EdgeHTTP

/// The list of users, for administrators.
extension GremlinDialect {
    static let pageMax = 100
    private static let pageUsual = 50

    /// `GET /api/admin/users?limit=&cursor=`
    @Sendable func listUsers(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let (limit, cursor) = try Self.page(request.head.query)
        return .json(GremlinUsers(try await useCases.listUsers(limit: limit, behind: cursor, ClientCall(request))))
    }

    /// Reads the page that the query requests, and ignores other parameters.
    ///
    /// - Parameter query: the query as it was sent, or `nil` if there is none.
    static func page(_ query: String?) throws(Refusal) -> (limit: Int, cursor: String?) {
        let form: FormBody
        do throws(FormBody.Refusal) { form = try FormBody(Array((query ?? "").utf8)) } catch {
            throw .invalid(member: "query")
        }
        guard let text = form["limit"] else { return (pageUsual, form["cursor"]) }
        guard text.utf8.count <= 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let limit = Int(text),
            (1...pageMax).contains(limit)
        else { throw .invalid(member: "limit") }
        return (limit, form["cursor"])
    }
}
