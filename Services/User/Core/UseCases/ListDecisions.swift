import InternalAPI

/// Lists security decisions for the operator.
struct ListDecisions: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String

    func callAsFunction(_ request: DecisionsRequest) async throws -> DecisionPage {
        let decisions = try await queries.decisions(after: request.after, limit: DecisionPage.decisionsMax)
        return DecisionPage(decisions: decisions.map { SecurityDecision($0, userIDPrefix: userIDPrefix) })
    }
}
