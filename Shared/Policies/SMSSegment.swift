/// The number of segments of a text message that a text needs (3GPP TS 23.038, TS 23.040).
///
/// A segment contains 160 septets of the GSM 7-bit alphabet, or 70 units of UCS-2 if one character is outside that alphabet.
/// The parts of a longer text contain 153 and 67, and each is paid for.
package struct SMSSegment: Sendable, Equatable {
    private static let (septetsMax, unitsMax) = (160, 70)
    private static let (septetsOfPart, unitsOfPart) = (153, 67)

    private static let alphabet = Set(
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
            .unicodeScalars + "abcdefghijklmnopqrstuvwxyzäöñüà".unicodeScalars)
    /// The characters that need an escape too.
    private static let extended = Set("\u{C}^{}\\[~]|€".unicodeScalars)

    /// The number of septets of the alphabet; `nil` if the text needs UCS-2.
    let septets: Int?
    /// The number of units of UCS-2.
    let units: Int

    package init(_ text: String) {
        units = text.utf16.count
        var count = 0
        for scalar in text.unicodeScalars {
            if Self.alphabet.contains(scalar) {
                count += 1
            } else if Self.extended.contains(scalar) {
                count += 2
            } else {
                septets = nil
                return
            }
        }
        septets = count
    }

    package var isOne: Bool { septets.map { $0 <= Self.septetsMax } ?? (units <= Self.unitsMax) }

    /// The number of segments that are paid for.
    package var count: Int {
        if isOne { return 1 }
        let (length, part) = septets.map { ($0, Self.septetsOfPart) } ?? (units, Self.unitsOfPart)
        return (length + part - 1) / part
    }
}
