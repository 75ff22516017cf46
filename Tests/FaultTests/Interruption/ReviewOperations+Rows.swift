import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service for lost and recycled numbers, and for accounts under review.
    static let reviewOperations = [
        DurableOperation(name: "lost-number", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let request = ReplacePhoneRequest(userID: account.id, phone: LatchkeyStack.freshPhone())
            // Asked for again it is another change, in the first one's place.
            return account.operatorsAct(
                ["user pending": 1, "user user.phone_change_begun": 1], UserOperations.replacePhone.path, request,
                repeated: ["user user.phone_change_begun"])
        },
        DurableOperation(name: "lost-number-verified", process: "user") { stack, twin in
            let lost = try await LostNumber(stack, twin)
            let request = ResolveRequest(attestation: try stack.attestation(of: lost.next), name: nil)
            var act = lost.account.act(
                ["user moving": 1, "user links": 1, "user user.phone_change_verified": 1], UserOperations.resolve.path,
                request)
            act.perform = {
                try LostNumber.pending(await lost.account.post(UserOperations.resolve.path, request, to: $0))
            }
            act.gain = { _ in "" }
            return act
        },
        DurableOperation(name: "lost-number-moved", process: "user") { stack, twin in
            let lost = try await LostNumber(stack, twin)
            try await lost.verify(at: twin.service)
            return lost.moving(twin)
        },
        DurableOperation(name: "lost-number-objection", process: "user") { stack, twin in
            let lost = try await LostNumber(stack, twin)
            try await lost.verify(at: twin.service)
            var act = lost.account.act(
                ["user pending": -1, "user moving": -1, "user user.phone_change_ended": 1],
                IdentityOperations.endPendingPhone.path, NoBody())
            act.gain = { _ in "" }
            act.aftermath = { try await lost.account.findings([lost.account.identity], [lost.next], at: $0) }
            return act
        },
        DurableOperation(name: "recycled-number", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            try await stack.age(account.id)
            let request = ResolveRequest(
                attestation: try stack.attestation(of: account.identity), name: "Ann", newAccount: true)
            var act = account.act(
                [
                    "user identities": -1, "number at user": -1, "user deletions": 1, "user epochs": 1,
                    "user decisions": 2, "user user.identity_moved": 1, "user user.deletion_requested": 1,
                ], UserOperations.resolve.path, request, identities: ["number": account.identity.value],
                ends: [account.session])
            act.gain = { try $0.decoded(ResolveAnswer.self).user.id }
            act.endsLater = true
            act.aftermath = { try await account.findings([], [account.identity], at: $0) }
            return act
        },
        DurableOperation(name: "reported-change", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let link = try await PlantedLink(.notMe, for: account.identity.value, in: stack)
            let form = try await account.post(
                AccountOperations.readNotMeForm.path, NotMeFormRequest(token: link.token), to: twin.service)
            let secret = try form.decoded(NotMeForm.self).secret ?? "no form"
            var act = account.act(
                ["user links": -1, "user epochs": 1, "user reviews": 1, "user decisions": 1, "user user.not_me": 1],
                AccountOperations.reportNotMe.path, NotMeReport(token: link.token, formSecret: secret),
                ends: [account.session])
            // A link serves once, and a repeat waits for nothing.
            act.gain = { _ in "" }
            act.endsLater = true
            act.aftermath = { try await account.findings([], [account.identity], at: $0) }
            return act
        },
        DurableOperation(name: "review-cleared", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            try await account.report(at: twin.service)
            var act = account.operatorsAct(
                ["user reviews": -1, "user decisions": 1, "user user.review_cleared": 1],
                UserOperations.clearReview.path,
                ClearReviewRequest(userID: account.id))
            act.aftermath = { try await account.findings([account.identity], [], at: $0) }
            return act
        },
        DurableOperation(name: "review-blocked", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            try await account.report(at: twin.service)
            return account.operatorsAct(
                ["user inactive": 1, "user epochs": 1, "user decisions": 1, "user user.rights_changed": 1],
                UserOperations.change.path,
                ChangeUserRequest(userID: account.id, isActive: false))
        },
    ]
}

/// A user whose number support has begun to replace.
private struct LostNumber: Sendable {
    let account: Account
    let next = VerifiedIdentity.phone(LatchkeyStack.freshPhone())

    init(_ stack: LatchkeyStack, _ twin: ProcessTwin.Running) async throws {
        account = try await Account(stack, twin)
        let request = ReplacePhoneRequest(userID: account.id, phone: next.value)
        let begun = try await account.control(UserOperations.replacePhone.path, request, at: twin.service)
        guard begun.status == 200 else { throw UnexpectedAnswer(to: UserOperations.replacePhone.path, begun) }
    }

    /// Verifies the new number.
    func verify(at service: TestHTTPClient) async throws {
        let proof = try account.stack.attestation(of: next)
        _ = try Self.pending(await Account.resolve(proof, account.stack, service))
    }

    /// The refusal of a sign-in with the new number acknowledges that it is verified.
    static func pending(_ answer: HTTPAnswer) throws -> HTTPAnswer {
        guard answer.text.contains(ResolveRefusal.phoneChangePending.rawValue) else {
            throw UnexpectedAnswer(to: UserOperations.resolve.path, answer)
        }
        return HTTPAnswer(status: 200, headers: answer.headers, body: answer.body)
    }

    /// The move by the job of user-service, without a request.
    func moving(_ twin: ProcessTwin.Running) -> InterruptedAct {
        var act = account.act(
            [
                "user pending": -1, "user moving": -1, "user decisions": 2, "user epochs": 1, "user versions": 1,
                "user links": 1, "old at user": -1, "new at user": 1, "user identity.replaced": 1,
            ], "", NoBody(), identities: ["old": account.identity.value, "new": next.value], ends: [account.session])
        act.perform = { service in
            try await account.pendingDone(at: service, unlessEnded: twin.process)
        }
        act.gain = { _ in "" }
        act.endsLater = true
        act.aftermath = { try await account.findings([next], [account.identity], at: $0) }
        return act
    }
}

extension Account {
    /// One request of the operator, the same each time.
    fileprivate func operatorsAct(
        _ changes: [String: Int], _ path: String, _ body: some Encodable & Sendable, repeated: Set<String> = []
    ) -> InterruptedAct {
        InterruptedAct(
            changes: changes, records: { try records() }, perform: { try await control(path, body, at: $0) },
            repeated: repeated)
    }

    /// Reports that a change was not the user's.
    fileprivate func report(at service: TestHTTPClient) async throws {
        let link = try await PlantedLink(.notMe, for: identity.value, in: stack)
        let form = try await post(
            AccountOperations.readNotMeForm.path, NotMeFormRequest(token: link.token), to: service)
        let report = NotMeReport(
            token: link.token, formSecret: try form.decoded(NotMeForm.self).secret ?? "no form")
        let answer = try await post(AccountOperations.reportNotMe.path, report, to: service)
        guard try answer.decoded(AccountAnswer.self).result == .done else {
            throw UnexpectedAnswer(to: AccountOperations.reportNotMe.path, answer)
        }
    }
}
