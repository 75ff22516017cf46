package import AuthAPI

/// A member of users in addition to those that every deployment has, with its type and the right to set it.
package struct AttributePolicy: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case boolean, integer, string
    }

    /// The side that may set the attribute; the operator may set all.
    package enum Setter: String, Sendable, CaseIterable {
        case user, `operator`
    }

    package static let countMax = 16
    package static let stringCharactersMax = 256
    /// The integers that every JSON reader represents exactly (RFC 8259 section 6).
    package static let integers: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991
    /// The members that all users have, folded as `foldedName` does. A policy must not declare them.
    package static let commonNames: Set<String> = [
        "id", "phone", "phonenumber", "email", "name", "role", "isactive", "createdat", "updatedat", "lastsigninat",
        "deletiondueat", "sessioncount", "attributes",
    ]

    package var name: String
    package var kind: Kind
    package var setBy: Setter
    /// The value for users without one of their own; `nil` if such users do not have the member.
    package var defaultValue: AttributeValue?

    package init(name: String, kind: Kind, setBy: Setter, defaultValue: AttributeValue? = nil) {
        self.name = name
        self.kind = kind
        self.setBy = setBy
        self.defaultValue = defaultValue
    }

    /// The name in lower case and without `_`, since some dialects write createdAt and others created_at.
    var foldedName: String { Self.folded(name) }

    static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    /// Whether `value` is of the attribute's type and within its bounds.
    package func admits(_ value: AttributeValue) -> Bool {
        switch (kind, value) {
        case (.boolean, .boolean): true
        case (.integer, .integer(let integer)): Self.integers.contains(integer)
        case (.string, .string(let text)): Self.isString(text)
        default: false
        }
    }

    /// Reads the value that an operator wrote as `text`, or returns `nil` if it is not valid for the attribute.
    package func value(written text: String) -> AttributeValue? {
        let value: AttributeValue? =
            switch kind {
            case .boolean: Bool(text).map(AttributeValue.boolean)
            case .integer: Int64(text).map(AttributeValue.integer)
            case .string: .string(text)
            }
        return value.flatMap { admits($0) ? $0 : nil }
    }

    /// Whether a text is short enough and without control characters. Scalars are counted, since one character can have any
    /// number of them.
    static func isString(_ text: String) -> Bool {
        text.unicodeScalars.count <= stringCharactersMax
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }
}

extension AttributePolicy {
    /// One item of the list `attributes`:
    /// - `name` a letter, then up to 63 of A-Z a-z 0-9 _, required; none of the common members, in any
    ///   case and whatever its `_`
    /// - `type` boolean, integer or string, required
    /// - `setBy` user or operator, required: whether users set it themselves
    /// - `default` value of that type; integers within ±(2^53 - 1), texts of at most 256 characters without control
    ///   characters; default none: users without a value do not have the member
    ///
    /// - Parameter earlier: The items above it; their names are not allowed again.
    init(reading section: PolicySection, earlier: [AttributePolicy]) {
        self.init(name: "", kind: .boolean, setBy: .operator)
        section.requiredText("name", .attributeName, into: &name)
        if earlier.contains(where: { $0.foldedName == foldedName }) {
            section.refuse("name", "\(name) is declared twice. Letter case and _ do not tell attributes apart.")
        }
        let kindIsKnown = section.requiredChoice("type", into: &kind)
        section.requiredChoice("setBy", into: &setBy)
        // Read in any case, so that the key does not count as unknown.
        guard let value = section.value("default"), kindIsKnown else { return }
        defaultValue =
            switch kind {
            case .boolean: value.flag().map(AttributeValue.boolean)
            case .integer: value.integer(in: Self.integers).map(AttributeValue.integer)
            case .string: value.text(.attributeString).map(AttributeValue.string)
            }
    }
}

extension ValueRule where Value == String {
    fileprivate static var attributeName: TextRule {
        TextRule("a letter, then up to 63 of A-Z a-z 0-9 _, and no member that all users have") { text in
            let bytes = text.utf8
            guard (1...64).contains(bytes.count), let first = bytes.first, first.isASCIILetter else { return false }
            return bytes.allSatisfy(\.isASCIIWordByte)
                && !AttributePolicy.commonNames.contains(AttributePolicy.folded(text))
        }
    }

    fileprivate static var attributeString: TextRule {
        TextRule(
            "at most \(AttributePolicy.stringCharactersMax) characters, none of them a control character",
            where: AttributePolicy.isString)
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
