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
        "deletiondueat", "sessioncount", "attributes", "metadata", "phoneverifiedat",
    ]

    package var name: String
    package var kind: Kind
    package var setBy: Setter
    /// Whether `kind` was valid in the file, so that a default can be compared with it.
    private var kindIsKnown = true
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
    static let keys: [Key<Self>] = [
        Key(
            "name", \.name, .text(.attributeName), "The member's name in the user object.", required: true,
            example: "plan"),
        Key("type", \.statedKind, .choice, "The type of its values.", required: true, example: "string"),
        Key(
            "setBy", \.setBy, .choice,
            "The side that sets it: `user` by PATCH /users/me, `operator` only by `latchkeyctl users change`.",
            required: true, example: "operator"),
        Key(
            "default", \.defaultValue,
            "The value for users without one; without a default they do not have the member.",
            example: "free", form: { .attribute($0.kindIsKnown ? $0.kind : nil) }),
    ]

    private var statedKind: Kind {
        get { kind }
        set { (kind, kindIsKnown) = (newValue, true) }
    }

    /// An attribute before it is read.
    static var unread: AttributePolicy {
        var attribute = AttributePolicy(name: "", kind: .boolean, setBy: .operator)
        attribute.kindIsKnown = false
        return attribute
    }

    /// - Parameter earlier: The items above it; their names are not allowed again.
    func check(_ section: PolicySection, earlier: [AttributePolicy]) {
        guard earlier.contains(where: { $0.foldedName == foldedName }) else { return }
        section.refuse("name", "\(name) is declared twice. Letter case and _ do not tell attributes apart.")
    }
}

extension KeyForm where Value == AttributeValue? {
    /// A value of the attribute's type.
    fileprivate static func attribute(_ kind: AttributePolicy.Kind?) -> KeyForm {
        let (flag, integer) = (KeyForm<Bool>.flag, KeyForm<Int64>.integer(AttributePolicy.integers))
        let string = KeyForm<String>.text(.attributeString)
        return KeyForm(
            kind: { .anyOf([flag.kind(), integer.kind(), string.kind()]) },
            read: { value in
                switch kind {
                case .boolean: flag.read(value).map(AttributeValue.boolean)
                case .integer: integer.read(value).map(AttributeValue.integer)
                case .string: string.read(value).map(AttributeValue.string)
                case nil: nil
                }
            },
            node: { value in
                switch value {
                case .boolean(let value): flag.node(value)
                case .integer(let value): integer.node(value)
                case .string(let value): string.node(value)
                case nil: nil
                }
            })
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
            "at most \(AttributePolicy.stringCharactersMax) characters, none of them a control character"
        ) { AttributePolicy.isString($0) }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
