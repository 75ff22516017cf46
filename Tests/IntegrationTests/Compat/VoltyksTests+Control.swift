import TestSupport
import Testing

extension Live.VoltyksTests.PrintedRequests {
    private static let inHTTPLines = VoltyksCalls.spoilings.some(every: 9)
    /// The parts that both printed clients read: they ignore the status of a good response.
    private static let inClients: [AnswerSpoiling] = {
        let refresh = AnswerSpoiling.all(
            200, of: VoltyksCalls.refreshPath,
            [
                "status": "false", "data": "null", "accessToken": "\"x\"", "refreshToken": "\"555dce3b\"",
                "accessTokenExpiresAt": "\"2026-01-06T14:18:40Z\"", "refreshTokenExpiresAt": "\"tomorrow\"",
            ])
        let login = AnswerSpoiling.all(
            200, of: VoltyksCalls.loginPath,
            ["status": "false", "data": "null", "token": "\"x\"", "refreshToken": "\"555dce3b\""])
        let chargers = [
            AnswerSpoiling(path: "/api/chargers", status: 401, having: "", change: .status(403)),
            AnswerSpoiling(path: "/api/chargers", status: 200, having: "", change: .name("userId")),
        ]
        return (Array(refresh.dropFirst()) + Array(login.dropFirst()) + chargers).some(every: 7)
    }()

    @Test(arguments: inHTTPLines)
    func `control: a spoiled member, status or message turns a statement red`(_ spoiling: AnswerSpoiling) async throws {
        let user = try await stack.newPasswordUser()
        try await expectFound(spoiling, before: stack.gateway) { gateway in
            let life = VoltyksLife(calls: VoltyksCalls(gateway: gateway), user: user)
            return await failures { await life.run() }
        }
    }

    @Test(arguments: PrintedClient.inThisRun, inClients)
    func `control: a printed client's run finds what is spoiled`(
        _ client: PrintedClient, _ spoiling: AnswerSpoiling
    ) async throws {
        let user = try await stack.newPasswordUser()
        try await expectFound(spoiling, before: stack.gateway) {
            try await client.program("voltyks", "whole", at: $0.base, user).failures()
        }
    }
}
