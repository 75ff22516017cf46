import Policies

@testable import EdgeHTTP
@testable import GatewayCore

/// A dialect with rows of a test's own, whose refusals bear its name.
struct TestDialect: GatewayCore.Dialect {
    let name: String
    let rows: [DialectRow]

    func reply(to refusal: Refusal) -> Reply { Reply(status: 499, headers: [], body: Array(name.utf8)) }
}

extension DialectRow {
    /// A row that answers with 204.
    static func silent(
        _ method: HTTPMethod, _ path: StaticString, _ access: Access = .open, members: Set<String> = []
    ) -> DialectRow {
        DialectRow(method, path, access, members: members) { _, _ in Reply(status: 204, headers: [], body: []) }
    }
}

extension SpokenDialect {
    static func test(_ name: String, host: String? = nil, _ rows: DialectRow...) -> SpokenDialect {
        SpokenDialect(dialect: TestDialect(name: name, rows: rows), host: host)
    }
}
