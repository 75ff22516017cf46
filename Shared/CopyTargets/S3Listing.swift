/// A page of the response to `ListObjectsV2`.
struct S3Listing: Sendable {
    let files: [CopyTargetFile]
    /// The token of the next page; `nil` if this is the last one.
    let next: String?

    private static let tokenBytesMax = 2048

    /// Returns the query of a request for a page, in the order that signatures require.
    static func query(prefix: String, after token: String?) -> String {
        var query = token.map { "continuation-token=\(encoded($0))&" } ?? ""
        query += "list-type=2&prefix=\(encoded(prefix))"
        return query
    }

    /// Reads a page; returns `nil` if it has another form.
    ///
    /// - Parameter start: The start of all keys of the target. Keys that no copy has are skipped.
    init?(_ body: [UInt8], under start: String) {
        guard let text = String(validating: body, as: UTF8.self), text.contains("<ListBucketResult") else { return nil }
        let rows = text.split(separator: "<Contents>", omittingEmptySubsequences: false).dropFirst()
        var files: [CopyTargetFile] = []
        for row in rows {
            guard let key = row.element("Key"), let bytes = row.element("Size").flatMap({ Int($0) }), bytes >= 0 else {
                return nil
            }
            let name = String(key.dropFirst(start.count))
            guard key.hasPrefix(start), CopyTargetFile.isName(name) else { continue }
            files.append(CopyTargetFile(name: name, bytes: bytes))
        }
        self.files = files
        guard text[...].element("IsTruncated") == "true" else {
            next = nil
            return
        }
        guard let token = text[...].element("NextContinuationToken"), !token.isEmpty,
            token.utf8.count <= Self.tokenBytesMax
        else { return nil }
        next = token.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&amp;", with: "&")
    }

    /// The text with every byte in per cent that RFC 3986 does not leave unreserved.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                result.append(character)
            } else {
                result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}

/// The refusals of S3, by the status and the `Code` of the body. No other part of the body is read.
enum S3Refusal {
    /// Codes with the status 400 for a wrong or expired key.
    private static let credentialCodes = [
        "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "AuthorizationHeaderMalformed", "InvalidAccessKeyId",
    ]
    private static let fullCodes = ["QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity"]
    private static let codeBytesMax = 64

    /// Returns the failure, or `nil` if the request succeeded.
    static func failure(of outcome: CurlOutcome) -> CopyTargetFailure? {
        guard !(200...299).contains(outcome.status) else { return nil }
        let code = code(outcome.body) ?? ""
        let words = "S3 answered \(outcome.status)\(code.isEmpty ? "" : " " + code)"
        switch (outcome.status, code) {
        case (301, _), (302, _), (307, _), (308, _):
            let region = region(outcome.lines).map { "; the bucket is in the region \($0)" } ?? ""
            return CopyTargetFailure(.refused, words + region)
        case (404, "NoSuchBucket"): return CopyTargetFailure(.missing, "the bucket does not exist")
        case (404, _): return .noSuchKey
        case (_, "RequestTimeTooSkewed"):
            return CopyTargetFailure(.refused, words + ": this host's clock differs from the server's")
        case (_, let code) where credentialCodes.contains(code): return CopyTargetFailure(.refused, words)
        case (507, _): return CopyTargetFailure(.full, words)
        case (_, let code) where fullCodes.contains(code): return CopyTargetFailure(.full, words)
        case (401, _), (403, _): return CopyTargetFailure(.refused, words)
        case (429, _), (500..., _), (_, "RequestTimeout"): return CopyTargetFailure(.unreachable, words)
        default: return CopyTargetFailure(.unexpected, words)
        }
    }

    private static func code(_ body: [UInt8]) -> String? {
        let code = String(decoding: body, as: UTF8.self)[...].element("Code")
        return code.flatMap { isWord($0) ? $0 : nil }
    }

    private static func region(_ lines: [String]) -> String? {
        let name = "x-amz-bucket-region:"
        let line = lines.first { $0.lowercased().hasPrefix(name) }
        let region = line?.dropFirst(name.count).drop { $0 == " " }
        return region.flatMap { isWord(String($0)) ? String($0) : nil }
    }

    /// Whether a text of the server may be in a log line.
    private static func isWord(_ text: String) -> Bool {
        (1...codeBytesMax).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}

extension CopyTargetFailure {
    static let noSuchKey = CopyTargetFailure(.missing, "the file does not exist in the bucket")
}

extension Substring {
    /// The text of the first element with a name.
    fileprivate func element(_ name: String) -> String? {
        guard let start = firstRange(of: "<\(name)>") else { return nil }
        let rest = self[start.upperBound...]
        return rest.firstRange(of: "</\(name)>").map { String(rest[..<$0.lowerBound]) }
    }
}
