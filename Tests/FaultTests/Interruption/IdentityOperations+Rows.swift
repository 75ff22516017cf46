import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service when users change their identities.
    static let identityOperations = [
        DurableOperation(name: "identity-added", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            return try await account.adding(.freshAddress(), twin, ["user versions": 1])
        },
        DurableOperation(name: "apple-added", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            return try await account.adding(.freshApple(), twin)
        },
        DurableOperation(name: "number-replaced", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            return try await account.replacing(with: .phone(LatchkeyStack.freshPhone()), twin)
        },
        DurableOperation(name: "address-replaced", process: "user") { stack, twin in
            let account = try await Account(stack, twin, .freshAddress())
            return try await account.replacing(with: .freshAddress(), twin)
        },
        DurableOperation(name: "apple-replaced", process: "user") { stack, twin in
            let account = try await Account(stack, twin, .freshApple())
            // There is nowhere to send a notice with a link.
            return try await account.replacing(with: .freshApple(), twin, links: 0)
        },
        DurableOperation(name: "identity-removed", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let address = VerifiedIdentity.freshAddress()
            try await account.add(address, at: twin.service)
            return try await account.removing(account.identity, keeping: address, twin)
        },
        DurableOperation(name: "apple-removed", process: "user") { stack, twin in
            let account = try await Account(stack, twin)
            let apple = VerifiedIdentity.freshApple()
            try await account.add(apple, at: twin.service)
            return try await account.removing(apple, keeping: account.identity, twin)
        },
        DurableOperation(name: "password-added", process: "user") { stack, twin in
            let account = try await Account(stack, twin, .freshAddress())
            return account.settingPassword(
                ["user passwords": 1, "user links": 1, "user user.password_changed": 1])
        },
        DurableOperation(name: "password-replaced", process: "user") { stack, twin in
            let account = try await Account(stack, twin, .freshAddress())
            try await account.setPassword(at: twin.service)
            return account.settingPassword(
                [
                    "user epochs": 1, "user answers": 1, "user links": 1, "user decisions": 1,
                    "user user.password_changed": 1,
                ], ends: [account.session])
        },
        DurableOperation(name: "password-removed", process: "user") { stack, twin in
            let account = try await Account(stack, twin, .freshAddress())
            try await account.setPassword(at: twin.service)
            let request = RemovePasswordRequest(callID: CallID.random())
            return account.act(
                [
                    "user passwords": -1, "user epochs": 1, "user versions": 1, "user answers": 1,
                    "user links": 1, "user decisions": 1, "user identity.removed": 1,
                ], IdentityOperations.removePassword.path, request, ends: [account.session])
        },
        DurableOperation(name: "merge", process: "user") { stack, twin in
            let pair = try await MergingPair(stack, twin, .freshAddress())
            return pair.merging(
                [
                    "user identities": 1, "theirs at user": 1, "theirs at other": -1, "user decisions": 1,
                ], keepsOther: false)
        },
        DurableOperation(name: "merge-keeping-the-other-number", process: "user") { stack, twin in
            let pair = try await MergingPair(stack, twin, .phone(LatchkeyStack.freshPhone()))
            return pair.merging(
                [
                    "own at user": -1, "theirs at user": 1, "theirs at other": -1, "user epochs": 1,
                    "user decisions": 2,
                ], keepsOther: true)
        },
        DurableOperation(name: "reauthentication-by-apple", process: "user") { stack, twin in
            let account = try await Account(stack, twin, .freshApple())
            let token = try await FakeProviders(of: stack)
                .identityToken(#"{"subject":"\#(account.identity.value)"}"#).identityToken
            let request = ReauthenticateRequest(
                provider: "apple", token: token, address: "127.0.0.1", callID: CallID.random())
            var act = account.act(["user resolutions": 1], UserOperations.reauthenticate.path, request)
            act.gain = { "\(try $0.decoded(ReauthenticateAnswer.self).result)" }
            return act
        },
    ]
}

extension VerifiedIdentity {
    static func freshAddress() -> Self { Self(kind: .email, value: LatchkeyStack.freshAddress()) }
    /// An identity at Apple, whose tokens latchkey-fakes issue.
    static func freshApple() -> Self { Self(kind: .apple, value: "000123.\(CallID.random().lowercased())") }
}

/// Two accounts of one person, who has verified the identity of the other one.
private struct MergingPair {
    let user: Account
    let other: Account
    private let token: String

    init(_ stack: LatchkeyStack, _ twin: ProcessTwin.Running, _ theirs: VerifiedIdentity) async throws {
        (user, other) = (try await Account(stack, twin), try await Account(stack, twin, theirs))
        token = try await user.add(theirs, at: twin.service).mergeToken ?? "no token"
    }

    /// - Parameter changes: those beside what every merge changes.
    func merging(_ changes: [String: Int], keepsOther: Bool) -> InterruptedAct {
        let request = MergeRequest(
            mergeToken: token, keepsOtherPhone: keepsOther ? true : nil, callID: CallID.random())
        let always = [
            "user versions": 1, "user answers": 1, "user links": 2, "user user.merged": 1, "other users": -1,
            "other identities": -1,
            "other epochs": -1, "other versions": -1, "other merged": 1, "other decisions": 1,
            "other user.merged_away": 1,
        ]
        var act = user.act(
            always.merging(changes) { $1 }, IdentityOperations.mergeOwn.path, request,
            accounts: ["other": other.id], identities: ["own": user.identity.value, "theirs": other.identity.value],
            ends: [other.session] + (keepsOther ? [user.session] : []))
        act.aftermath = { [user, other] service in
            let lost = keepsOther ? [user.identity] : []
            return try await user.findings([other.identity], lost, at: service)
                + (try await other.findings([], [user.identity, other.identity], at: service))
        }
        return act
    }
}
