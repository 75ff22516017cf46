import Delivery

/// Asks the provider that makes the codes whether one is right, while the provider is available.
struct AskProvider: Sendable {
    /// The lengths of codes that Twilio accepts.
    static let codeLength = 4...10

    private let checker: any CodeChecker
    private let circuit: Circuit
    private let load: SendLoad

    /// - Parameter load: the calls to providers that are under way in the process, including messages.
    init(_ checker: any CodeChecker, load: SendLoad) {
        self.checker = MeteredChecker(checker)
        self.load = load
        circuit = Circuit(provider: checker.provider, channel: "check")
    }

    /// Reserves a place for one question, which `leave` releases, or returns `false` if none can be asked now.
    func enter() -> Bool { circuit.waitSeconds() == nil && load.enter() }

    func leave() { load.leave() }

    /// The time after which another try makes sense, in seconds.
    var retryAfterSeconds: Int64 { circuit.waitSeconds() ?? 1 }

    /// - Parameters:
    ///   - code: the code as it was typed, in its one spelling.
    ///   - number: the phone number in E.164.
    func callAsFunction(_ code: String, of number: String) async -> CodeCheck {
        guard Self.codeLength.contains(code.utf8.count), code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return .wrong
        }
        guard circuit.begin() else { return .unknown(.throttled) }
        let check = await checker.check(code, of: number, within: SendLimits.time)
        if case .unknown(let failure) = check {
            circuit.note(isOutage: failure.isOutage)
        } else {
            circuit.note(isOutage: false)
        }
        return check
    }
}
