extension JSONReader {
    /// Reads the number at the index (RFC 8259 §6): exactly if it fits into an Int64, else as the nearest finite double.
    mutating func number() throws(StrictJSONError) -> JSONValue {
        let start = index
        let isInteger = try skipNumber()
        guard readsNumbers else { return .null }
        let digits = String(decoding: text[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(digits) { return .integer(integer) }
        guard let double = Double(digits), double.isFinite else { throw violation(.numberOutOfRange, at: start) }
        return .double(double)
    }

    /// Skips the number; returns whether it has neither fraction nor exponent.
    private mutating func skipNumber() throws(StrictJSONError) -> Bool {
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
        return isInteger
    }

    /// Skips one or more digits.
    private mutating func skipDigits() throws(StrictJSONError) {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw violation(.invalidNumber) }
    }
}
