public import Foundation

/// A copy of the user's data.
extension LatchkeyAuth {
    /// Reads everything that the server stores about the user, and returns it as one JSON document.
    ///
    /// It needs a recent sign-in or reauthentication, and the server allows a few exports a day. After an error nothing is returned;
    /// another call begins anew.
    @concurrent
    public func exportData() async throws(AuthError) -> Data {
        let route = "/users/me/export"
        _ = try await accessToken()
        let epoch = engine.record?.version.epoch
        var export = Export()
        for _ in 0..<Export.pagesMax {
            let query = try export.cursor.map { cursor throws(AuthError) in "?cursor=\(try Self.segment(cursor))" }
            let page = try await authorized(API.Call(method: .get, path: route + (query ?? ""), route: route))
            // Another user may have signed in meanwhile.
            guard engine.record?.version.epoch == epoch else { throw sessionIsOver }
            try export.add(page)
            if export.cursor == nil { return JSONText.encode(.object(export.members)) }
        }
        throw .notLatchkey
    }
}

/// The document that the pages of an export become.
private struct Export {
    /// The most pages of an export. A page has up to 1,000 rows.
    static let pagesMax = 1_000

    private(set) var members: [String: JSONValue] = [:]
    /// The cursor of the page that comes next; `nil` before the first page and after the last one.
    private(set) var cursor: String?

    /// Adds the next page. Rows of arrays are appended to those of earlier pages; of any other member the first value counts.
    /// - Throws: ``AuthError/notLatchkey`` if the page does not belong to the export.
    mutating func add(_ page: JSONValue) throws(AuthError) {
        var page = page.members ?? [:]
        let next = page.removeValue(forKey: "nextCursor") ?? .null
        guard let version = page["version"]?.whole, members["version"] ?? .integer(version) == .integer(version),
            next == .null || next.text.map({ !$0.isEmpty && $0 != cursor }) == true
        else { throw .notLatchkey }
        members.merge(page) { known, value in
            guard case .array(let rows) = known, case .array(let more) = value else { return known }
            return .array(rows + more)
        }
        cursor = next.text
    }
}
