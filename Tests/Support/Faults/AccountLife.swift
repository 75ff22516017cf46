/// An account that begins with a link and gets another password, whatever fails meanwhile.
struct AccountLife: Sendable {
    private static let (first, second) = ("correct horse battery", "quite another one")

    /// The policy changes that such accounts need: no limit that a long run would reach, and the session that changes its
    /// password is spared.
    static let policy = [
        "trustedProxies: []": """
        trustedProxies: []
        passwords:
          attempts: { perAddress: { max: 1000000, windowSeconds: 3600 } }
          mails:
            perNetwork: { max: 1000000, windowSeconds: 3600 }
            inTotal: { max: 1000000, windowSeconds: 3600 }
        """,
        "registration: closed ": "registration: open ", "ends: all ": "ends: others ",
    ]

    private let address: String
    private let link: PlantedLink

    /// Registers an address, and plants the link that confirms it.
    init(in stack: LatchkeyStack) async throws {
        let address = LatchkeyStack.freshAddress()
        let answer = try await patiently { try await stack.register(address, password: Self.first) }
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/register", answer) }
        self.address = address
        link = try await PlantedLink(.confirm, for: address, in: stack)
    }

    /// Confirms, logs in, changes the password, and tries what must be void then.
    ///
    /// - Returns: the sessions that live; nil when something that was right was refused, or never answered.
    func run(on phone: TestPhone) async throws -> [HeldSession]? {
        guard try await phone.setPassword(Self.first, of: address, by: link),
            let session = try await logIn(Self.first, phone)
        else { return nil }
        // Another call with the same link: the checker judges.
        _ = try await phone.askToSetPassword(Self.first, of: address, by: link)
        guard try await phone.changePassword(of: address, from: Self.first, to: Self.second, in: session)
        else { return nil }
        _ = try await phone.logIn(address, Self.first)
        return try await logIn(Self.second, phone).map { [session, $0] }
    }

    private func logIn(_ password: String, _ phone: TestPhone) async throws -> HeldSession? {
        try await untilAnswered { try await phone.logIn(address, password) } ?? nil
    }
}
