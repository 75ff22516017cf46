import AuthAPI
import FoundationEssentials
import ServiceCalls

/// A user, with the members that the pages show; times are Unix seconds.
struct Person: Decodable, Sendable {
    struct Waiting: Decodable, Sendable {
        let kind: String
        let phoneNumber: String?
    }

    let id, role: String
    let phoneNumber, email, name, mergedInto, version: String?
    let isActive: Bool
    let isForReview: Bool?
    let createdAt: Int64
    let lastSignInAt, deletionDueAt: Int64?
    let pending: [Waiting]?
}

struct PeoplePage: Decodable, Sendable {
    let users: [Person]
}

/// The events of a user, as sentences of the API.
struct Story: Decodable, Sendable {
    struct Line: Decodable, Sendable {
        let at: Int64
        let sentence: String
    }

    let story: [Line]
    let nextCursor: String?
}

struct AuditRecords: Decodable, Sendable {
    struct Record: Decodable, Sendable {
        let at: Int64
        let event: String
        let subject, method, detail: String?
    }

    let records: [Record]
    let nextCursor: String?
}

/// The cost of messages; amounts are in ten-thousandths of the currency.
struct Spend: Decodable, Sendable {
    struct Row: Decodable, Sendable {
        let row: String
        let sends, approved, spent, refused, spentToday: Int64
        let dayBudget: Int64?
    }

    let mode, currency: String?
    let rows: [Row]
}

/// The events of messages to one recipient.
struct Trace: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        let at, count: Int64
        let kind: String
        let requestId: String?
        let details: [String]
    }

    let entries: [Entry]
}

/// The phone numbers with which a store's reviewers sign in.
struct ReviewAccess: Decodable, Sendable {
    struct Open: Decodable, Sendable {
        let label: String
        let until: Int64
    }

    /// When the access of the requested number ends.
    let until: Int64?
    let open: [Open]
}

/// The codes of a review access that was just given, by dialect.
struct ReviewCodes: Decodable, Sendable {
    struct Code: Decodable, Sendable {
        let dialect, code: String
    }

    let until: Int64
    let codes: [Code]
}

/// The accounts under review.
struct Reviews: Decodable, Sendable {
    struct Review: Decodable, Sendable {
        let userId: String
        let openedAt: Int64
    }

    let reviews: [Review]
}

/// The paths of the API for administrators.
enum AdminPath {
    static func users(search: String) -> String { "/admin/users" + query([("search", search), ("limit", "50")]) }

    static func user(_ id: String, _ rest: String = "") -> String { "/admin/users/\(segment(id))\(rest)" }

    /// Returns a query without the fields that have no value.
    static func query(_ fields: [(String, String?)]) -> String {
        let stated = fields.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
        return stated.isEmpty ? "" : "?" + FormText.encode(stated)
    }

    /// Returns a text as one segment of a path.
    static func segment(_ text: String) -> String { FormText.encode(text).replacing("+", with: "%20") }
}
