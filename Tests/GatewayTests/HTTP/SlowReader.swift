/// The rules for request heads once more, written plainly and slowly over whole lines; shares no code with the parser.
enum SlowReader {
    private static let names = Set(
        "!#$%&'*+-.^_`|~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Whether a head, with its empty line, keeps the rules that this reader knows.
    static func accepts(_ head: [UInt8]) -> Bool {
        guard var lines = lines(head), lines.count >= 3, lines.suffix(2).allSatisfy(\.isEmpty) else { return false }
        lines.removeLast(2)
        let start = lines.removeFirst()
        guard acceptsStart(start) else { return false }
        var values: [String: [String]] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
                line[..<colon].allSatisfy(names.contains)
            else { return false }
            values[text(line[..<colon]).lowercased(), default: []].append(text(line[(colon + 1)...]))
        }
        // HTTP/1.0 knows no other framing than a length.
        guard start.last != UInt8(ascii: "0") || values["transfer-encoding"] == nil else { return false }
        return acceptsFraming(values) && values["host"]?.count == 1 && values["host"]?.allSatisfy(acceptsHost) == true
    }

    /// The lines between CR LFs; nil when a CR, LF or other control stands alone.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]]? {
        var lines: [[UInt8]] = [[]]
        var position = 0
        while position < bytes.count {
            if bytes[position] == 13, position + 1 < bytes.count, bytes[position + 1] == 10 {
                lines.append([])
                position += 2
                continue
            }
            guard bytes[position] == 9 || (bytes[position] >= 32 && bytes[position] != 127) else { return nil }
            lines[lines.count - 1].append(bytes[position])
            position += 1
        }
        return lines
    }

    private static func acceptsStart(_ line: [UInt8]) -> Bool {
        let parts = text(line[...]).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]), parts[1].hasPrefix("/"),
            methods.contains(parts[0])
        else {
            return false
        }
        let path = parts[1].prefix { $0 != "?" }
        let spelling = path.lowercased().replacing("%2e", with: ".")
        let segments = spelling.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return !["%2f", "%5c", "%00", "%25", "%3b", ";", "\\", "#"].contains { spelling.contains($0) }
            && !segments.dropLast().contains("") && !segments.contains(".") && !segments.contains("..")
            && parts[1].utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }

    private static func acceptsFraming(_ values: [String: [String]]) -> Bool {
        let lengths = values["content-length"] ?? []
        let encodings = values["transfer-encoding"] ?? []
        guard lengths.count + encodings.count <= 1 else { return false }
        let isNumber = lengths.allSatisfy { length in
            !length.isEmpty && length.utf8.allSatisfy { (48...57).contains($0) }
        }
        return isNumber && encodings.allSatisfy { $0.lowercased() == "chunked" }
    }

    /// A name with whole escapes, or brackets around what may be an IPv6 address; then nothing or a port.
    private static func acceptsHost(_ host: String) -> Bool {
        host.wholeMatch(
            of: #/(\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]|([A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(:[0-9]*)?/#) != nil
    }

    /// Text without blanks around it; each byte one character.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
        while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
