/// Why a text is not strict JSON, and where; quotes nothing of the text.
package struct StrictJSONError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case tooLarge, tooDeep, syntax, trailingBytes, byteOrderMark
        case invalidUTF8, controlCharacter, invalidEscape, unpairedSurrogate
        case invalidNumber, numberOutOfRange, duplicateName
    }

    package let code: Code
    /// Bytes before the violation.
    package let offset: Int

    package var description: String { "\(code.rawValue) at byte \(offset)" }
}
