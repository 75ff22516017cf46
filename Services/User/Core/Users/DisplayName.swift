// Only full Foundation has Unicode normalisation, and GRDB links it into this process anyway.
import Foundation
import InternalAPI

/// A person's name as others see it: normalised (NFC), trimmed, of bounded length, without characters that could deceive.
struct DisplayName: Sendable, Equatable {
    /// The most characters (grapheme clusters) of a name.
    static let charactersMax = 100
    /// The most UTF-8 bytes of a name, since one character can contain any number of combining marks.
    static let bytesMax = 400

    let text: String

    /// Reads a typed name, or returns `nil` if it is empty, too long or contains a forbidden character.
    init?(_ typed: String) {
        // Normalisation can triple the length of a text, so its input is bounded.
        guard typed.utf8.count <= 4 * Self.bytesMax else { return nil }
        let name = Self.trimmed(typed.precomposedStringWithCanonicalMapping)
        guard !name.isEmpty, name.count <= Self.charactersMax, name.utf8.count <= Self.bytesMax,
            !name.unicodeScalars.contains(where: Self.isForbidden)
        else { return nil }
        text = name
    }

    /// Reads an optional name, or returns `nil` if it is missing or blank.
    ///
    /// - Throws: `InvalidInput` if the name is too long or contains a forbidden character.
    static func optional(_ typed: String?) throws(InvalidInput) -> DisplayName? {
        guard let typed, typed.contains(where: { !$0.isWhitespace }) else { return nil }
        guard let name = DisplayName(typed) else { throw .name }
        return name
    }

    /// Removes white space from both ends. It works by character, so that a space with a combining mark is not split.
    private static func trimmed(_ text: String) -> String {
        let isBlank = { (character: Character) in character.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
        var rest = text[...].drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(rest)
    }

    /// Whether a name must not contain the scalar. Control characters and line breaks can forge log lines and messages, and
    /// bidirectional overrides can make one name look like another. Joiners are allowed: emoji and several scripts need them.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint
        }
    }
}
