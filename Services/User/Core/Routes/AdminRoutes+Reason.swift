import InternalAPI

extension AdminRoutes {
    private static let reasonBytesMax = 200
    private static let actors = [
        RequestOrigin.operatorMethod, RequestOrigin.administratorMethod, RequestOrigin.clientMethod,
    ].map { $0 + ":" }

    /// Reads a reason, which is one line of printable ASCII and does not read as the name of the one who acted.
    static func reason(_ typed: String?) throws(InvalidInput) -> String? {
        guard let typed else { return nil }
        guard (1...reasonBytesMax).contains(typed.utf8.count), typed.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            !actors.contains(where: typed.lowercased().contains)
        else { throw InvalidInput(member: "reason") }
        return typed
    }
}
