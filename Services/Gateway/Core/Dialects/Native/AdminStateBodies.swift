import InternalAPI

/// The state of the deployment as of now; times are Unix seconds. Members that an unavailable service would fill are missing.
struct AdminToday: Codable, Sendable {
    struct AdminPart: Codable, Sendable {
        enum State: String, Codable, Sendable, CaseIterable { case ok, warning, failing, missing }

        let name: String
        let state: State
        let problems: [AdminProblem]
    }

    struct AdminProblem: Codable, Sendable, Equatable {
        enum Code: String, Codable, Sendable, CaseIterable {
            case unreachable
            case notReady = "not_ready"
            case circuitOpen = "circuit_open"
            case revocationsLate = "revocations_late"
            case revocationsUnpublished = "revocations_unpublished"
            case noSigningKey = "no_signing_key"
            case copyOld = "copy_old"
            case budgetNear = "budget_near"
            case budgetUsed = "budget_used"
            case policyDiffers = "policy_differs"
        }

        let code: Code
        let detail: String?
    }

    struct AdminCircuit: Codable, Sendable {
        enum State: String, Codable, Sendable, CaseIterable { case closed, trying, open }

        let provider: String
        let channel: String
        let state: State
    }

    struct AdminLimit: Codable, Sendable {
        let part: String
        let rule: String
        let refused: Int64
    }

    let at: Int64
    let parts: [AdminPart]
    let circuits: [AdminCircuit]?
    let revocationLagMilliseconds: Int64?
    let unpublishedRevocations: Int64?
    let limits: [AdminLimit]
    let keys: [AdminKeys.AdminKey]?
    let lastBackupAt: Int64?
    let lastCopyAt: Int64?
    let spend: AdminSpend?
}

/// Counts of events over time, a count for each step, oldest first.
struct AdminSeries: Codable, Sendable {
    struct AdminCounts: Codable, Sendable {
        enum Name: String, Codable, Sendable, CaseIterable {
            case signIns = "sign_ins"
            case signInsRefused = "sign_ins_refused"
            case newUsers = "new_users"
            case refreshes, reuse
            case codesSent = "codes_sent"
            case codesUsed = "codes_used"
            case spend
            case limited
            case other
        }

        let name: Name
        /// The method, result or rule.
        let kind: String?
        let country: String?
        let channel: String?
        let counts: [Int64]
    }

    let from: Int64
    let stepSeconds: Int64
    let series: [AdminCounts]
    let missing: [String]
}

/// The policy in effect, and how it differs from the one that Latchkey ships under its name.
struct AdminPolicyReport: Codable, Sendable {
    struct AdminPolicyDifference: Codable, Sendable {
        let key: String
        let running: String?
        let shipped: String?
        let isSecret: Bool
    }

    struct AdminPolicyLimit: Codable, Sendable {
        let key: String
        let value: String
    }

    let name: String
    let hash: String
    let isShipped: Bool
    let differences: [AdminPolicyDifference]
    let limits: [AdminPolicyLimit]
}
