/// Where a number lies in the text; its grammar is checked.
struct NumberToken {
    let range: Range<Int>
    /// Has neither fraction nor exponent.
    let isInteger: Bool
}

extension JSONReader {
    /// Reads the number at the index (RFC 8259 §6).
    mutating func number() throws(StrictJSONError) -> NumberToken {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        if next == UInt8(ascii: "0") { index += 1 } else { try skipDigits() }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            try skipDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            try skipDigits()
        }
        return NumberToken(range: start..<index, isInteger: isInteger)
    }

    /// Steps over one digit or more.
    private mutating func skipDigits() throws(StrictJSONError) {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw violation(.invalidNumber) }
    }

    /// The value of `token`: exact where an Int64 holds it, otherwise the nearest finite double.
    func value(of token: NumberToken) throws(StrictJSONError) -> JSONNode {
        if token.isInteger, let integer = integer(at: token.range) { return .integer(integer) }
        guard let double = Double(String(decoding: text[token.range], as: UTF8.self)), double.isFinite else {
            throw violation(.numberOutOfRange, at: token.range.lowerBound)
        }
        return .double(double)
    }

    /// The checked digits in `range` with their sign; nil for more than an Int64 holds.
    private func integer(at range: Range<Int>) -> Int64? {
        let isNegative = text[range.lowerBound] == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for index in (isNegative ? range.lowerBound + 1 : range.lowerBound)..<range.upperBound {
            let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeAfter) = tens.addingReportingOverflow(UInt64(text[index] &- UInt8(ascii: "0")))
            guard !isTooLarge, !isTooLargeAfter else { return nil }
            magnitude = sum
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
}
