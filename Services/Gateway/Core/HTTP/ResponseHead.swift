/// The head of an upstream's answer.
struct ResponseHead: Sendable {
    let block: HeaderBlock
    let status: Int
    let framing: BodyFraming
    let keepsAlive: Bool

    /// 1xx: another head follows.
    var isInterim: Bool { (100..<200).contains(status) }

    /// - Parameters:
    ///   - bytes: status line and field lines, each with CR LF, without the empty line.
    ///   - isHEAD: the request was HEAD, so there is no body whatever the head says.
    init(_ bytes: [UInt8], limits: HeaderBlock.Limits, isHEAD: Bool) throws(HTTPViolation) {
        guard bytes.count > 13, let lineEnd = bytes.firstIndex(of: 0x0D), lineEnd >= 12,
            lineEnd + 1 < bytes.count, bytes[lineEnd + 1] == 0x0A,
            bytes[..<7].elementsEqual("HTTP/1.".utf8), bytes[8] == UInt8(ascii: " "),
            bytes[9..<12].allSatisfy(ByteClass.isDigit), lineEnd == 12 || bytes[12] == UInt8(ascii: " ")
        else { throw .malformedStatusLine }
        block = try HeaderBlock(bytes, from: lineEnd + 2, fieldsMax: limits.fieldsMax)
        let code = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard (100..<600).contains(code) else { throw .malformedStatusLine }
        status = code
        let stated = try BodyFraming.stated(in: block)
        let hasNoBody = isHEAD || (100..<200).contains(code) || code == 204 || code == 304
        framing = hasNoBody ? .none : stated ?? .untilClose
        keepsAlive =
            bytes[7] == UInt8(ascii: "1") && framing != .untilClose
            && !block.listMembers("connection").contains(Array("close".utf8))
    }
}
