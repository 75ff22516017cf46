/// The digits of a code as the user types, pastes or lets the system fill them in.
public struct CodeEntry: Sendable, Equatable {
    /// The number of digits, from ``Discovery/codeLength``.
    public let length: Int
    /// The digits so far, at most ``length``.
    public private(set) var digits = ""

    public init(length: Int = 6) { self.length = max(1, min(length, 10)) }

    /// Whether all digits are there: sign in.
    public var isComplete: Bool { digits.count == length }

    /// The digit of a box, or `nil` if it is empty.
    public func digit(_ box: Int) -> Character? {
        guard box >= 0, box < digits.count else { return nil }
        return digits[digits.index(digits.startIndex, offsetBy: box)]
    }

    /// Takes over the text of a field. Anything but digits is left out, digits of other scripts become 0 to 9, and of a longer
    /// text the first digits count.
    public mutating func enter(_ text: String) {
        let values = text.compactMap { $0.isWholeNumber ? $0.wholeNumberValue : nil }.filter { (0...9).contains($0) }
        digits = values.prefix(length).map(String.init).joined()
    }

    /// The digits, for a text field: what is written into it is filtered as by ``enter(_:)``.
    public var text: String {
        get { digits }
        set { enter(newValue) }
    }

    public mutating func clear() { digits = "" }
}
