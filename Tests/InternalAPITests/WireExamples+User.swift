import AuthAPI
import InternalAPI

extension WireExamples {
    /// Requests and responses of `UserOperations`.
    static func user() throws -> [WireText] {
        [
            try WireText(
                "User.resolve", UserOperations.resolve,
                requests: [
                    ResolveRequest(attestation: "k1.e30.AA", name: nil),
                    ResolveRequest(attestation: "k1.e30.AA", name: "Betty"),
                ],
                answers: [
                    ResolveAnswer(grant: "k1.e30.AA", isNewUser: true, restored: false, user: profile)
                ]),
            try WireText(
                "User.readProfile", UserOperations.readProfile,
                answers: [
                    profile,
                    UserDetails(
                        id: "usr_1", phoneNumber: nil, name: nil, role: "user", createdAt: 1,
                        attributes: UserAttributes(["isChecker": .boolean(true)])),
                ]),
            try WireText(
                "User.updateProfile", UserOperations.updateProfile,
                requests: [
                    UpdateUserRequest(name: "Betty"),
                    UpdateUserRequest(attributes: UserAttributes(["isChecker": .boolean(true)])),
                    UpdateUserRequest(),
                    UpdateUserRequest(removesName: true),
                ],
                answers: [
                    profile
                ]),
            try WireText(
                "User.deleteByProof", UserOperations.deleteByProof,
                requests: [DeleteByProofRequest(attestation: "k1.e30.AA")],
                answers: [
                    DeleteByProofAnswer(.scheduled, dueAt: 1_700_000_000), DeleteByProofAnswer(.unknown),
                    DeleteByProofAnswer(.inactive), DeleteByProofAnswer(.attestationRefused),
                ]),
            try WireText(
                "User.deleteAccount", UserOperations.deleteAccount,
                answers: [
                    Done()
                ]),
            try WireText(
                "User.find", UserOperations.find,
                requests: [
                    FindUserRequest(key: "+15551234567")
                ],
                answers: [
                    facts
                ]),
            try WireText(
                "User.list", UserOperations.list,
                requests: [
                    ListUsersRequest(limit: 50),
                    ListUsersRequest(limit: 50, cursor: "usr_1"),
                ],
                answers: [
                    UserPage(users: [facts, newFacts], next: "usr_2"),
                    UserPage(users: [], next: nil),
                    UserPage(
                        users: [], next: nil,
                        invitations: [
                            InvitationSummary(to: "ann@example.com", role: "admin", expiresAt: 1_800_000_000)
                        ]),
                ]),
            try WireText(
                "User.listAsAdmin", UserOperations.listAsAdmin,
                requests: [ListUsersRequest(limit: 100, cursor: "usr_1")],
                answers: [UserPage(users: [], next: "usr_2")]),
            try WireText(
                "User.importUsers", UserOperations.importUsers,
                requests: [
                    ImportUsersRequest(users: [
                        ImportedUser(
                            id: "0190163d-8694-739b-aea5-966c26f8ad91", legacyID: "firebase-1", email: "a@example.com",
                            emailVerified: true, phone: "+15551234567", name: "Ann", role: "admin", isActive: false,
                            createdAt: 1_700_000_000, passwordHash: "$2b$05$x"),
                        ImportedUser(phone: "+15551234567"),
                        ImportedUser(identities: [
                            ProviderAccount(provider: "apple", subject: "000123.a"),
                            ProviderAccount(provider: "google", subject: "1"),
                        ]),
                    ])
                ],
                answers: [
                    ImportUsersAnswer(results: [
                        ImportResult(userID: "usr_1", isAdded: true), ImportResult(userID: "usr_2"),
                        ImportResult(problem: "email is another user's"),
                        ImportResult(userID: "usr_3", isAdded: true, note: "added without a password: …"),
                    ])
                ]),
            try WireText(
                "User.change", UserOperations.change,
                requests: [
                    ChangeUserRequest(userID: "usr_1", role: "admin"),
                    ChangeUserRequest(userID: "usr_1", isActive: false),
                    ChangeUserRequest(userID: "usr_1", name: "", phone: "+15551234567", keepsSessions: true),
                    ChangeUserRequest(userID: "usr_1", attributes: ["plan": "pro"]),
                ],
                answers: [
                    ChangedUser(changed: ["role"]),
                    ChangedUser(changed: ["phone"], takenFrom: "usr_2", endsSessions: true),
                ]),
            try WireText(
                "User.count", UserOperations.count,
                answers: [UserCounts(users: 4, inactive: 1, scheduled: 2, reviewers: 0)]),
            try WireText(
                "User.delete", UserOperations.delete,
                requests: [
                    DeleteUserRequest(userID: "usr_1"), DeleteUserRequest(userID: "usr_1", now: true),
                ],
                answers: [
                    DeletionSchedule(dueAt: 1_700_000_000)
                ]),
            try WireText(
                "User.restore", UserOperations.restore,
                requests: [
                    RestoreUserRequest(userID: "usr_1")
                ],
                answers: [
                    Done()
                ]),
            try WireText(
                "User.renumber", UserOperations.renumber,
                requests: [
                    RenumberRequest(changes: nil, isDryRun: true),
                    RenumberRequest(
                        changes: [NumberChange(from: "+22507", to: "+2250707")], isDryRun: false,
                        cursor: "+22507000000"),
                ],
                answers: [
                    RenumberPage(
                        numbers: [
                            RenumberedNumber(
                                from: "+22507000001", to: "+2250707000001", userID: "usr_1", result: .renamed),
                            RenumberedNumber(
                                from: "+22507000002", to: "+2250707000002", userID: "usr_2", result: .taken,
                                holderID: "usr_3"),
                            RenumberedNumber(
                                from: "+225070", to: "+22507070", userID: nil, result: .impossible),
                        ], next: "+22507000002"),
                    RenumberPage(numbers: [], next: nil),
                ]),
            try WireText(
                "User.resubject", UserOperations.resubject,
                requests: [
                    ResubjectRequest(
                        provider: "apple", changes: [SubjectChange(from: "000123.a", to: "000456.b")], isDryRun: true)
                ],
                answers: [
                    ResubjectAnswer(results: [
                        SubjectResult(.moved, userID: "usr_1"), SubjectResult(.present, userID: "usr_2"),
                        SubjectResult(.taken, userID: "usr_1", holderID: "usr_2"), SubjectResult(.unknown),
                    ])
                ]),
            try WireText(
                "User.removed", UserOperations.removed,
                requests: [
                    RemovedUsersRequest(cursor: nil),
                    RemovedUsersRequest(cursor: "usr_1"),
                ],
                answers: [
                    RemovedUsers(userIDs: ["usr_1"])
                ]),
            try WireText(
                "User.audit", UserOperations.audit,
                requests: [
                    AuditRequest(limit: 50)
                ],
                answers: [
                    AuditPage(
                        records: [
                            AuditPage.Record(
                                number: 7, at: 1_700_000_000, event: "user.rights_changed", subject: "00ff",
                                method: "operator", requestID: "req_1", detail: "role")
                        ], next: nil)
                ]),
            try WireText(
                "User.decisions", UserOperations.decisions,
                requests: [
                    DecisionsRequest(after: 0)
                ],
                answers: [
                    DecisionPage(decisions: [
                        SecurityDecision(sequence: 1, at: 1_700_000_000, kind: .deactivated, id: "usr_1"),
                        SecurityDecision(sequence: 2, at: 1_700_000_000, kind: .roleLost, id: "usr_1", detail: "admin"),
                    ])
                ]),
        ]
    }

    private static let profile = UserDetails(
        id: "usr_1", phoneNumber: "+15551234567", email: "a@example.org", name: "Betty", role: "user",
        createdAt: 1_700_000_000, attributes: UserAttributes(["isChecker": .boolean(false)]))
    private static let facts = UserSummary(
        id: "usr_1", phoneNumber: "+15551234567", name: "Betty", role: "user", isActive: true, createdAt: 1,
        lastSignInAt: 2, deletionDueAt: 3, sessionCount: 4)
    private static let newFacts = UserSummary(
        id: "usr_2", phoneNumber: nil, name: nil, role: "user", isActive: false, createdAt: 1, lastSignInAt: nil,
        deletionDueAt: nil)
}
