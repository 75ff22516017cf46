public import Foundation

/// A user's profile, as the server last returned it.
public struct User: Sendable, Equatable, Identifiable {
    /// The public id, such as `usr_` and 32 hexadecimal digits.
    public let id: String
    /// The phone number with `+` and country code.
    public let phoneNumber: String?
    public let email: String?
    public let name: String?
    public let role: String?
    public let createdAt: Date?
    /// The attributes that the server's policy declares, such as `isChecker`.
    public let attributes: [String: AttributeValue]
}

/// The value of a user's attribute.
public enum AttributeValue: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int64)
    case string(String)
}

extension AttributeValue {
    /// The attribute's value, or `nil` for a kind of JSON value that no attribute has.
    init?(_ json: JSONValue) {
        switch json {
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .string(let value): self = .string(value)
        default: return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .string(let value): .string(value)
        }
    }
}

extension User {
    /// A user as the server's JSON describes them, or `nil` without an id.
    init?(_ json: JSONValue?) {
        guard let members = json?.members, let id = members["id"]?.text, !id.isEmpty, id.utf8.count <= 256 else {
            return nil
        }
        self.id = id
        phoneNumber = members["phoneNumber"]?.text
        email = members["email"]?.text
        name = members["name"]?.text
        role = members["role"]?.text
        createdAt = members["createdAt"]?.whole.map { Date(timeIntervalSince1970: Double($0)) }
        attributes = members.filter { !Self.common.contains($0.key) }.compactMapValues(AttributeValue.init)
    }

    /// A user with a known id and nothing else.
    init(id: String) {
        self.id = id
        (phoneNumber, email, name, role, createdAt, attributes) = (nil, nil, nil, nil, nil, [:])
    }

    /// The user as JSON, in the server's shape.
    var json: JSONValue {
        var members = attributes.mapValues(\.json)
        members["id"] = .string(id)
        members["phoneNumber"] = .optional(phoneNumber)
        members["email"] = .optional(email)
        members["name"] = .optional(name)
        members["role"] = .optional(role)
        members["createdAt"] = createdAt.map { .integer(Int64($0.timeIntervalSince1970)) }
        return .object(members)
    }

    private static let common: Set<String> = ["id", "phoneNumber", "email", "name", "role", "createdAt"]
}

/// Prints the id only: phone number, email address and name do not belong in a log.
extension User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "User(\(id))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
