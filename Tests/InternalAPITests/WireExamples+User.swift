import AuthAPI
import InternalAPI

extension WireExamples {
    /// What goes to and from the operations of `UserOperations`.
    static func user() throws -> [WireText] {
        [
            try WireText(
                "User.resolve", "POST", UserContract.resolvePath, from: ["gateway"],
                requests: [
                    ResolveRequest(attestation: "k1.e30.AA", name: nil),
                    ResolveRequest(attestation: "k1.e30.AA", name: "Betty"),
                ],
                answers: [
                    ResolveAnswer(grant: "k1.e30.AA", isNewUser: true, restored: false, user: profile)
                ],
                refusals: [
                    (400, "invalid_request"), (401, "attestation_refused"), (403, "account_inactive"),
                    (409, "deletion_scheduled"),
                ]),
            try WireText(
                "User.readProfile", "GET", UserContract.mePath, from: ["gateway"],
                requests: [Done](),
                answers: [
                    profile,
                    UserProfile(id: "usr_1", phoneNumber: nil, name: nil, isChecker: true, role: "user", createdAt: 1),
                ],
                refusals: [(401, "invalid_token"), (403, "account_inactive")]),
            try WireText(
                "User.updateProfile", "PATCH", UserContract.mePath, from: ["gateway"],
                requests: [
                    UserUpdate(name: "Betty"),
                    UserUpdate(isChecker: true),
                    UserUpdate(),
                ],
                answers: [
                    profile
                ],
                refusals: [(400, "invalid_request"), (401, "invalid_token"), (403, "account_inactive")]),
            try WireText(
                "User.deleteAccount", "DELETE", UserContract.mePath, from: ["gateway"],
                requests: [Done](),
                answers: [
                    Done()
                ],
                refusals: [(401, "invalid_token"), (403, "account_inactive")]),
            try WireText(
                "User.find", "POST", UserContract.findPath, from: ["control"],
                requests: [
                    FindUserRequest(key: "+15551234567")
                ],
                answers: [
                    facts
                ],
                refusals: [(400, "invalid_request"), (404, "not_found")]),
            try WireText(
                "User.list", "POST", UserContract.listPath, from: ["control"],
                requests: [
                    ListUsersRequest(limit: 50),
                    ListUsersRequest(limit: 50, cursor: "usr_1"),
                ],
                answers: [
                    UserPage(users: [facts, newFacts], next: "usr_2"),
                    UserPage(users: [], next: nil),
                ],
                refusals: [(400, "invalid_request")]),
            try WireText(
                "User.change", "POST", UserContract.changePath, from: ["control"],
                requests: [
                    ChangeUserRequest(userID: "usr_1", role: "admin"),
                    ChangeUserRequest(userID: "usr_1", isActive: false),
                ],
                answers: [
                    Done()
                ],
                refusals: [(400, "invalid_request"), (404, "not_found")]),
            try WireText(
                "User.delete", "POST", UserContract.deletePath, from: ["control"],
                requests: [
                    DeleteUserRequest(userID: "usr_1")
                ],
                answers: [
                    DeletionSchedule(dueAt: 1_700_000_000)
                ],
                refusals: [(400, "invalid_request"), (404, "not_found")]),
            try WireText(
                "User.restore", "POST", UserContract.restorePath, from: ["control"],
                requests: [
                    RestoreUserRequest(userID: "usr_1")
                ],
                answers: [
                    Done()
                ],
                refusals: [(400, "invalid_request"), (404, "not_found"), (409, "removal_due")]),
            try WireText(
                "User.removed", "POST", UserContract.removedPath, from: ["control"],
                requests: [
                    RemovedUsersRequest(cursor: nil),
                    RemovedUsersRequest(cursor: "usr_1"),
                ],
                answers: [
                    RemovedUsers(userIDs: ["usr_1"])
                ],
                refusals: [(400, "invalid_request")]),
        ]
    }

    private static let profile = UserProfile(
        id: "usr_1", phoneNumber: "+15551234567", email: "a@example.org", name: "Betty", isChecker: false, role: "user",
        createdAt: 1_700_000_000)
    private static let facts = UserFacts(
        id: "usr_1", phoneNumber: "+15551234567", name: "Betty", role: "user", isActive: true, createdAt: 1,
        lastSignInAt: 2, deletionDueAt: 3, sessionCount: 4)
    private static let newFacts = UserFacts(
        id: "usr_2", phoneNumber: nil, name: nil, role: "user", isActive: false, createdAt: 1, lastSignInAt: nil,
        deletionDueAt: nil)
}
