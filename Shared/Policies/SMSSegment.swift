/// How much of a text message's segments a text takes (3GPP TS 23.038, TS 23.040).
///
/// A segment holds 160 septets of the GSM 7-bit alphabet; with one character outside of it, 70 units of UCS-2. The parts of
/// a longer text hold 153 and 67, each is paid for.
package struct SMSSegment: Sendable, Equatable {
    private static let (septetsMax, unitsMax) = (160, 70)
    private static let (septetsOfPart, unitsOfPart) = (153, 67)

    private static let alphabet = Set(
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
            .unicodeScalars + "abcdefghijklmnopqrstuvwxyzäöñüà".unicodeScalars)
    /// They take an escape too.
    private static let extended = Set("\u{C}^{}\\[~]|€".unicodeScalars)

    /// Of the alphabet; nil when the text needs UCS-2.
    let septets: Int?
    /// Of UCS-2.
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

    /// Segments that are paid for.
    package var count: Int {
        if isOne { return 1 }
        let (length, part) = septets.map { ($0, Self.septetsOfPart) } ?? (units, Self.unitsOfPart)
        return (length + part - 1) / part
    }
}
