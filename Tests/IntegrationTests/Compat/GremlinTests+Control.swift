import TestSupport
import Testing

extension Live.GremlinTests.PrintedRequests {
    private static let inHTTPLines = GremlinCalls.spoilings.some(every: 11)
    /// The members that both printed clients read: all but the names, the list's roles and cursor, and messages.
    private static let inClients = GremlinCalls.spoilings.filter { spoiling in
        switch (spoiling.change, spoiling.status) {
        case (.status, 200): false
        case (.status, _): true
        case (.name(let member), 200), (.value(let member, _), 200):
            !["name", "nextCursor"].contains(member) && (spoiling.path != GremlinCalls.usersPath || member != "role")
        case (.name(let member), 403), (.value(let member, _), 403): member != "message"
        case (.name(let member), _): member == "code"
        case (.value, _): false
        }
    }.some(every: 9)

    @Test(arguments: inHTTPLines)
    func `control: a spoiled member, status or message turns a statement red`(_ spoiling: AnswerSpoiling) async throws {
        let (administrator, user) = (try await stack.newAdministrator(), try await stack.newPasswordUser(name: "Bo"))
        try await expectFound(spoiling, before: stack.gateway) { gateway in
            let calls = GremlinCalls(gateway: gateway)
            return await failures {
                await GremlinLife(calls: calls, administrator: administrator, user: user).run()
            }
        }
    }

    @Test(arguments: PrintedClient.inThisRun, inClients)
    func `control: a printed client's run finds what is spoiled`(
        _ client: PrintedClient, _ spoiling: AnswerSpoiling
    ) async throws {
        let (administrator, user) = (try await stack.newAdministrator(), try await stack.newPasswordUser(name: "Bo"))
        try await expectFound(spoiling, before: stack.gateway) {
            try await client.program("gremlin", "whole", at: $0.base, administrator, user).failures()
        }
    }
}
