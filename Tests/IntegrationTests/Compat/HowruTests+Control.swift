import TestSupport
import Testing

extension Live.HowruTests.PrintedRequests {
    @Test func `control: an answer that differs from the printed one in a name or a value is found`() async throws {
        let phone = LatchkeyStack.freshPhone()
        let (request, verify) = (try PrintedEndpoint("Request OTP"), try PrintedEndpoint("Verify OTP"))
        let sent = try await request.send([Self.phone: phone], to: stack.gateway)
        try expectSpoilingsAreFound(in: sent, by: try request.answer(200), count: 10)
        let code = try await stack.code(for: phone)
        let signedIn = try await verify.send([Self.phone: phone, Self.code: code], to: stack.gateway)
        try expectSpoilingsAreFound(in: signedIn, by: try verify.answer(200), count: 20)
        let refused = try await verify.send([Self.phone: phone, Self.code: code], to: stack.gateway)
        try expectSpoilingsAreFound(in: refused, by: try verify.answer(401), count: 7)
    }

    @Test(arguments: [
        "tokens", "accessToken", "refreshToken", "user", "isChecker", "Invalid or expired verification code",
    ])
    func `control: the printed client's run finds a misspelled member`(word: String) async throws {
        let client = try client()
        #expect(try await client.notices(spoiling: word))
    }

    @Test func `the printed client does what the document says`() async throws {
        try await client().show()
    }

    private func client() throws -> ClientProgram {
        try ClientProgram(
            built: "compat-howru", stack.gateway.base, stack.inbox.base, try stack.service("fakes").base)
    }
}

/// Sees that a shape fits an answer, and none of its spoiled copies.
func expectSpoilingsAreFound(
    in answer: HTTPAnswer, by shape: AnswerShape, count: Int, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try shape.check(answer)
    let spoiled = try shape.spoiled(answer)
    #expect(spoiled.count >= count, "\(spoiled.count)", sourceLocation: sourceLocation)
    for copy in spoiled {
        #expect(throws: (any Error).self, "\(copy.text)", sourceLocation: sourceLocation) { try shape.check(copy) }
    }
}
