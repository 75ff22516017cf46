import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service for merges that wait.
    static let waitingMergeOperations = [
        DurableOperation(name: "merge-waits", process: "user") { stack, twin in
            let merge = try await WaitingMerge(stack, twin)
            // The user is told at the number, the other one at number and address.
            return merge.user.act(
                [
                    "user pending": 1, "user moving": 1, "user answers": 1, "user links": 1, "other links": 2,
                    "user user.merge_begun": 1, "other user.merge_begun": 1,
                ], IdentityOperations.mergeOwn.path, merge.request, accounts: ["other": merge.other.id])
        },
        DurableOperation(name: "merge-objection", process: "user") { stack, twin in
            let merge = try await WaitingMerge(stack, twin)
            try await merge.begin(at: twin.service)
            var act = merge.user.act(
                ["user pending": -1, "user moving": -1, "other user.merge_ended": 1],
                "", NoBody(), accounts: ["other": merge.other.id])
            act.perform = { try await merge.other.post(IdentityOperations.endPendingMerge.path, NoBody(), to: $0) }
            act.gain = { _ in "" }
            act.aftermath = { try await merge.other.findings([merge.other.identity, merge.number], [], at: $0) }
            return act
        },
        DurableOperation(name: "merge-happens", process: "user") { stack, twin in
            let merge = try await WaitingMerge(stack, twin)
            try await merge.begin(at: twin.service)
            return merge.happening(twin)
        },
    ]
}

/// A merge of an account with a number and an address, of which its user has verified the address.
private struct WaitingMerge: Sendable {
    let user, other: Account
    let number = VerifiedIdentity.phone(LatchkeyStack.freshPhone())
    let request: MergeRequest

    init(_ stack: LatchkeyStack, _ twin: ProcessTwin.Running) async throws {
        (user, other) = (try await Account(stack, twin), try await Account(stack, twin, .freshAddress()))
        try await other.add(number, at: twin.service)
        let token = try await user.add(other.identity, at: twin.service).mergeToken
        request = MergeRequest(mergeToken: token ?? "no token", waits: true, callID: CallID.random())
    }

    func begin(at service: TestHTTPClient) async throws {
        let answer = try await user.post(IdentityOperations.mergeOwn.path, request, to: service)
        guard try answer.decoded(AccountAnswer.self).result == .mergeWaits else {
            throw UnexpectedAnswer(to: IdentityOperations.mergeOwn.path, answer)
        }
    }

    /// The merge by the job of user-service, without a request. The other account's links pass to the user, who gets two more.
    func happening(_ twin: ProcessTwin.Running) -> InterruptedAct {
        var act = user.act(
            [
                "user pending": -1, "user moving": -1, "user identities": 1, "theirs at user": 1, "user versions": 1,
                "user decisions": 1, "user links": 5, "user user.merged": 1, "theirs at other": -1, "other users": -1,
                "other identities": -2, "other epochs": -1, "other versions": -2, "other links": -3,
                "other answers": -1, "other merged": 1, "other decisions": 1, "other user.merged_away": 1,
            ], "", NoBody(), accounts: ["other": other.id], identities: ["theirs": other.identity.value],
            ends: [other.session])
        act.perform = { try await user.pendingDone(at: $0, unlessEnded: twin.process) }
        act.gain = { _ in "" }
        act.endsLater = true
        act.aftermath = {
            try await user.findings([other.identity], [number], at: $0)
                + (try await other.findings([], [number, other.identity], at: $0))
        }
        return act
    }
}
