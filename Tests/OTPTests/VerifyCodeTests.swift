import InternalAPI
import Policies
import RedisClient
import TestSupport
import Testing

@testable import OTPCore

@Suite(.timeLimit(.minutes(5))) struct VerifyCodeTests {
    @Test func `a right code attests the phone for a minute`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let answer = try await fixture.verify(try await fixture.sentCode())
            #expect(answer.result == .approved)
            let attestation = try fixture.attestation(answer)
            #expect(attestation.identity == .phone(CodeFixture.phone))
            #expect(attestation.method == "sms")
            #expect(attestation.purpose == .signIn)
            #expect(attestation.expiresAt == CodeFixture.start + 60)
            #expect(attestation.proofID.utf8.count == 40)
        }
    }

    @Test func `the same right code yields the same attestation for a minute, then it is used`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            let first = try fixture.attestation(try await fixture.verify(code))
            fixture.clock.advance(59)
            for _ in 0..<10 {
                let again = try fixture.attestation(try await fixture.verify(code))
                #expect(again == first)
            }
            fixture.clock.advance(1)
            let late = try await fixture.verify(code)
            #expect(late.result == .used)
            #expect(late.attestation == nil)
        }
    }

    @Test func `many right codes at once yield one attestation`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            let answers = try await concurrently(100) { _ in try await fixture.verify(code) }
            #expect(answers.allSatisfy { $0.result == .approved })
            let attestations = try answers.map { try fixture.attestation($0) }
            #expect(attestations.allSatisfy { $0 == attestations.first })
        }
    }

    @Test func `wrong, expired and unknown codes are told apart`() async throws {
        try await withFixture(.howru) { fixture async throws in
            #expect(try await fixture.verify("123456").result == .unknown)
            let code = try await fixture.sentCode()
            #expect(try await fixture.verify(CodeFixture.wrong(code)).result == .wrongCode)
            fixture.clock.advance(299)
            #expect(try await fixture.verify(CodeFixture.wrong(code)).result == .wrongCode)
            fixture.clock.advance(1)
            #expect(try await fixture.verify(code).result == .expired)
            #expect(try await fixture.verify(code, phone: "+15551234568").result == .unknown)
            fixture.clock.advance(3_599)
            #expect(try await fixture.verify(code).result == .expired)
            fixture.clock.advance(1)
            #expect(try await fixture.verify(code).result == .unknown)
        }
    }

    @Test func `what is no number is told so`() async throws {
        try await withFixture { fixture async throws in
            #expect(try await fixture.verify("1", phone: "12").result == .invalidPhone)
        }
    }

    @Test(arguments: ["47 29 18", "472-918", " 472918\n", "４７２９１８", "٤٧٢٩١٨", "4\u{200B}72918"])
    func `one code has one spelling`(spelling: String) { #expect(TypedCode(spelling).text == "472918") }

    @Test(arguments: ["+472918", "0472918", "472918a", "4729", "", "½72918", String(repeating: "4", count: 5_000)])
    func `other texts are no codes, and do not become one`(text: String) async throws {
        #expect(TypedCode(text).text != "472918")
        #expect(TypedCode(text).text.utf8.count <= 68)
        var policy = OTPPolicy.howru
        policy.fixedCode = FixedCode(code: "472918", environments: [.uat])
        try await withFixture(policy) { fixture async throws in
            try await fixture.request()
            await #expect(throws: InvalidInput.self) { try await fixture.verify(text) }
        }
    }

    @Test func `a code of one number opens no other`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode("+15551234567")
            let other = try await fixture.sentCode("+15551234568")
            try #require(code != other)
            #expect(try await fixture.verify(code, phone: "+15551234568").result == .wrongCode)
        }
    }

    @Test func `a repeat of the same call is judged and counted once`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            let answers = try await concurrently(20) { _ in
                try await fixture.verify(CodeFixture.wrong(code), call: "the-same").result
            }
            #expect(answers.allSatisfy { $0 == .wrongCode })
            // Four are left: three wrong ones and the right one.
            for number in 1...3 {
                #expect(try await fixture.verify(CodeFixture.wrong(code, number)).result == .wrongCode)
            }
            let approved = try await fixture.verify(code, call: "right")
            #expect(approved.result == .approved)
            let again = try await fixture.verify(code, call: "right")
            #expect(try fixture.attestation(again) == fixture.attestation(approved))
        }
    }

    @Test func `a fixed code approves the next challenge by the same call`() async throws {
        var policy = OTPPolicy.howru
        policy.fixedCode = FixedCode(code: "472918", environments: [.uat])
        try await withFixture(policy) { fixture async throws in
            try await fixture.request()
            let first = try fixture.attestation(try await fixture.verify("472918", call: "same"))
            fixture.clock.advance(1)
            try await fixture.request()
            let second = try fixture.attestation(try await fixture.verify("472918", call: "same"))
            #expect(first.proofID != second.proofID)
            #expect(try fixture.attestation(try await fixture.verify("472918", call: "same")) == second)
        }
    }

    @Test func `the id of an earlier call does not make another code right`() async throws {
        try await withFixture(.howru) { fixture async throws in
            let code = try await fixture.sentCode()
            #expect(try await fixture.verify(code, call: "right").result == .approved)
            #expect(try await fixture.verify(CodeFixture.wrong(code), call: "right").result == .wrongCode)
        }
    }
}
