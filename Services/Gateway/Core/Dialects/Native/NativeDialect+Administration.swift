import AuthAPI
import EdgeHTTP
import InternalAPI

/// The users, for administrators.
extension NativeDialect {
    private static let pageUsual = 50

    /// The rows that exist if the policy has an API for administrators.
    var administrationRows: [DialectRow] {
        [
            DialectRow(.get, "/admin/users", .bearer, answer: searchUsers).forAdministrators
                .documented(
                    .administration, "Finds users, or lists them, newest first",
                    takes: .query([], optional: ["search", "changedSince", "limit", "cursor"]),
                    .json(AdminUserPage.self), refusals: AdminOperations.search.refusals),
            DialectRow(.get, "/admin/users/*", .bearer, answer: readUser).forAdministrators
                .documented(
                    .administration, "Returns a user", .json(AdminUser.self),
                    refusals: AdminOperations.read.refusals),
        ]
    }

    /// `GET /admin/users?search=&changedSince=&limit=&cursor=`
    @Sendable func searchUsers(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let form: FormBody
        do throws(FormBody.Refusal) { form = try FormBody(Array((request.head.query ?? "").utf8)) } catch {
            throw .invalid(member: "query")
        }
        guard (form["cursor"]?.utf8.count ?? 0) <= AdministerUsers.idLengthMax else { throw .invalid(member: "cursor") }
        let search = SearchUsersRequest(
            limit: try Self.number("limit", in: form).map(Int.init(clamping:)) ?? Self.pageUsual,
            cursor: form["cursor"], search: form["search"].map(Self.searched),
            changedSince: try Self.number("changedSince", in: form))
        return .json(AdminUserPage(try await useCases.administration.search(search, AdminCall(request))))
    }

    /// `GET /admin/users/{id}`
    @Sendable func readUser(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        .user(try await useCases.administration.read(Self.segment(2, of: request), AdminCall(request)))
    }

    /// The segment of the path at an index.
    private static func segment(_ index: Int, of request: ClientRequest) -> String {
        request.head.pathText.split(separator: "/").dropFirst(index).first.map(String.init) ?? ""
    }

    /// A `+` that was not escaped is a space in a form.
    private static func searched(_ text: String) -> String { text.hasPrefix(" ") ? "+" + text.dropFirst() : text }

    /// Reads a field of digits, or returns `nil` if there is none.
    private static func number(_ name: String, in form: FormBody) throws(Refusal) -> Int64? {
        guard let text = form[name] else { return nil }
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text)
        else { throw .invalid(member: name) }
        return number
    }
}

extension Reply {
    /// A user, with their version for `If-Match`.
    fileprivate static func user(_ user: UserSummary) -> Reply {
        .json(AdminUser(user), headers: user.version.map { [("ETag", "\"\($0)\"")] } ?? [])
    }
}
