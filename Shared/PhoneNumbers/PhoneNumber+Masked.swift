extension PhoneNumber: CustomStringConvertible, CustomReflectable {
    private static let shownDigitsMax = 4
    private static let hiddenDigitsMin = 4

    /// The calling code and last digits, e.g. `+1•••••4567`; at least four digits are hidden, however short the number is.
    package var description: String {
        let code = "+\(callingCode)"
        let national = e164.dropFirst(code.utf8.count)
        let shown = max(0, min(Self.shownDigitsMax, national.utf8.count - Self.hiddenDigitsMin))
        return "\(code)•••••\(national.suffix(shown))"
    }

    /// Keeps `dump` from showing what `description` hides.
    package var customMirror: Mirror { Mirror(self, children: ["masked": description]) }
}
