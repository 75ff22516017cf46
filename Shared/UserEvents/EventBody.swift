package import AuthAPI
import FoundationEssentials
import StrictJSON

/// The body of a request to the hook, in the form that Standard Webhooks recommends.
package struct EventBody: Encodable, Sendable {
    let type: String
    let timestamp: String
    package var data: Content

    /// The event's ids, and the members that the policy includes. Members without a value are left out.
    package struct Content: Encodable, Sendable {
        /// `user` or `session`: the sequences of the two are independent.
        let source: String
        let sequence: Int64
        /// Empty in an event about all users.
        let userId: String
        package var sessionId: String?
        package var reason: String?
        /// The user that has the account after a merge.
        package var mergedInto: String?
        package var user: EventMembers?
        /// A Security Event Token (RFC 8417).
        package var securityEventToken: String?
    }

    /// - Parameter userID: The user's public id.
    package init(_ event: QueuedEvent, userID: String) {
        type = event.kind
        timestamp = Date(timeIntervalSince1970: Double(event.madeAt)).formatted(.iso8601)
        let source = String(event.kind.prefix { $0 != "." })
        let isOfAll = event.user == UserEvent.everybody
        data = Content(source: source, sequence: event.sequence, userId: isOfAll ? "" : userID)
    }

    /// The body as JSON.
    package func encoded() throws -> [UInt8] { try StrictJSON.encode(self) }
}

/// The members of a user that the policy includes. A member that the user lacks is null.
package struct EventMembers: Encodable, Sendable {
    private enum Value: Sendable {
        case text(String?)
        case attributes(UserAttributes)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var values: [String: Value] = [:]

    package init() {}

    package mutating func set(_ name: String, _ value: String?) { values[name] = .text(value) }

    package mutating func set(_ name: String, _ value: UserAttributes) { values[name] = .attributes(value) }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        for (name, value) in values {
            switch value {
            case .text(let text): try members.encode(text, forKey: Name(stringValue: name))
            case .attributes(let attributes): try members.encode(attributes, forKey: Name(stringValue: name))
            }
        }
    }
}
