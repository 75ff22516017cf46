import CryptoPrimitives
import Policies
import ServiceCalls

/// The changes of one person, and of a number. The raw values are the ends of the forms' paths.
enum AdminAct: String, CaseIterable {
    case endSession = "end-session"
    case endSessions = "end-sessions"
    case deactivate, activate
    case replaceNumber = "replace-number"
    case keepNumber = "keep-number"
    case delete, restore
    case clearReview = "clear-review"
    /// The changes of a number.
    case unlock
    case giveReviewAccess = "give-review-access"
    case endReviewAccess = "end-review-access"

    var text: ConsoleText {
        switch self {
        case .endSession: .endOne
        case .endSessions: .endAll
        case .deactivate: .deactivate
        case .activate: .reactivate
        case .replaceNumber: .replaceNumber
        case .keepNumber: .stopReplacing
        case .delete: .delete
        case .restore: .cancelDeletion
        case .clearReview: .clearReview
        case .unlock: .unlock
        case .giveReviewAccess: .giveReviewAccess
        case .endReviewAccess: .endReviewAccess
        }
    }

    /// Whether the subject is a phone number, and not the id of a person.
    var isOfNumber: Bool { [.unlock, .giveReviewAccess, .endReviewAccess].contains(self) }

    /// The page of a person or number, below the console's.
    func page(of subject: String) -> String {
        let query = AdminPath.query([("to", isOfNumber ? subject : nil), ("done", rawValue)])
        return (isOfNumber ? "/number" : "/person/\(AdminPath.segment(subject))") + query
    }

    /// The target of the form, below the console's path. The form of a number has the number in a field.
    func path(of subject: String) -> String {
        (isOfNumber ? "/number/" : "/person/\(AdminPath.segment(subject))/") + rawValue
    }

    /// Returns the call that does it.
    func call(on subject: String, _ form: [String: String]) -> APICall {
        let (method, path, body) = request(subject, form)
        // A review is not part of a user's version.
        let version = self == .clearReview || isOfNumber ? nil : form["version"]
        return APICall.change(method, path, body: body, version: version, reason: form["reason"])
    }

    private func request(_ subject: String, _ form: [String: String]) -> (ProviderRequest.Method, String, [UInt8]) {
        let user = AdminPath.user(subject)
        return switch self {
        case .endSession: (.delete, "\(user)/sessions/\(AdminPath.segment(form["session"] ?? ""))", [])
        case .endSessions: (.delete, "\(user)/sessions", [])
        case .deactivate: (.patch, user, APICall.json(["isActive": false]))
        case .activate: (.patch, user, APICall.json(["isActive": true]))
        case .replaceNumber: (.post, "\(user)/replace-phone", APICall.json(["phoneNumber": form["number"] ?? ""]))
        case .keepNumber: (.delete, "\(user)/replace-phone", [])
        case .delete: (.delete, user, [])
        case .restore: (.post, "\(user)/restore", [])
        case .clearReview:
            (.post, "/admin/reviews/\(AdminPath.segment(subject))", APICall.json(["decision": "clear"]))
        case .unlock: (.post, "/admin/unlock", APICall.json(["phoneNumber": subject]))
        case .giveReviewAccess:
            (
                .post, "/admin/review-access",
                APICall.json(ReviewOpening(phoneNumber: subject, until: form["until"] ?? ""))
            )
        case .endReviewAccess: (.post, "/admin/review-access/end", APICall.json(["phoneNumber": subject]))
        }
    }
}

/// Review access until the end of a day in UTC. A text that is no day is a time that the API refuses.
private struct ReviewOpening: Encodable {
    let phoneNumber: String
    let until: Int64

    init(phoneNumber: String, until day: String) {
        (self.phoneNumber, until) = (phoneNumber, CalendarDay(day)?.endsAt ?? 0)
    }
}

/// A submitted form that is carried out once the administrator has shown who they are.
struct WaitingTask: Sendable, Equatable {
    /// Keeps it apart from the tasks of other tabs, of which the last one waits.
    let id = Base64URL.encode(SecureRandom.bytes(9))
    let act: AdminAct
    /// The id of the person, or the number.
    let subject: String
    let form: [String: String]
}
