import InternalAPI

/// The sender that an assertion states: a process, and for latchkeyctl also the operator, as in `control:alice`.
struct AssertedSender: Sendable, Equatable {
    private static let separator = UInt8(ascii: ":")

    let caller: Caller
    /// `nil` for other processes, and for commands that need no name.
    let operatorName: OperatorName?

    init(_ caller: Caller, _ operatorName: OperatorName?) {
        (self.caller, self.operatorName) = (caller, operatorName)
    }

    /// Parses a sender, or returns `nil` for an unknown process or an invalid name.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard let caller = parts.first.flatMap({ Caller(rawValue: String(decoding: $0, as: UTF8.self)) }) else {
            return nil
        }
        self.caller = caller
        guard parts.count > 1 else {
            operatorName = nil
            return
        }
        guard caller == .control, let name = OperatorName(String(decoding: parts[1], as: UTF8.self)) else { return nil }
        operatorName = name
    }

    var text: String { caller.rawValue + (operatorName.map { ":\($0.text)" } ?? "") }
}
