// Normal forms are in full Foundation alone; GRDB brings it into this process anyway.
import Foundation
import InternalAPI

/// A person's name as others see it: normalised (NFC), trimmed, of bounded length, without invisible trickery.
struct DisplayName: Sendable, Equatable {
    /// In characters as people count them.
    static let charactersMax = 100
    /// One character can hold any number of combining marks, so bytes of UTF-8 are bounded too.
    static let bytesMax = 400

    let text: String

    /// Reads what somebody typed; nil when it is empty, too long, or holds characters that no name has.
    init?(_ typed: String) {
        // Normalisation can grow a text threefold: bound what goes in.
        guard typed.utf8.count <= 4 * Self.bytesMax else { return nil }
        let name = Self.trimmed(typed.precomposedStringWithCanonicalMapping)
        guard !name.isEmpty, name.count <= Self.charactersMax, name.utf8.count <= Self.bytesMax,
            !name.unicodeScalars.contains(where: Self.isForbidden)
        else { return nil }
        text = name
    }

    /// Reads a name that may be missing or blank: `nil` then.
    ///
    /// - Throws: `InvalidInput` for characters, or a length, that no name has.
    static func optional(_ typed: String?) throws(InvalidInput) -> DisplayName? {
        guard let typed, typed.contains(where: { !$0.isWhitespace }) else { return nil }
        guard let name = DisplayName(typed) else { throw .name }
        return name
    }

    /// Without white space at both ends. By character, so that a space that carries a combining mark is not torn apart.
    private static func trimmed(_ text: String) -> String {
        let isBlank = { (character: Character) in character.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
        var rest = text[...].drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(rest)
    }

    /// Control characters and line breaks forge log lines and messages; bidirectional overrides make one name look like
    /// another. Joiners stay: emoji and several scripts need them.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint
        }
    }
}
