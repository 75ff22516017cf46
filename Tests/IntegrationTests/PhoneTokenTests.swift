import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// Phone tokens by the example policy; latchkey-fakes play Firebase Phone Number Verification.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1",
            "LATCHKEY_POLICY": LatchkeyStack.root + "deploy/policies/examples/fpnv.yaml",
        ])
    )
    struct PhoneTokenTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func token(_ phone: String, _ more: String = "") async throws -> String {
            try await fakes.identityToken(#"{"issuer":"fpnv","subject":"\#(phone)"\#(more)}"#).identityToken
        }

        private func signIn(_ token: String, _ more: String = "", key: String? = nil) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", "/auth/phone-token",
                headers: [("Content-Type", "application/json")] + (key.map { [("Idempotency-Key", $0)] } ?? []),
                body: Array(#"{"token":"\#(token)"\#(more)}"#.utf8))
        }

        @Test func `a token signs in without an SMS, to the account that a code leads to`() async throws {
            let phone = "+15550100001"
            let answer = try await signIn(try await token(phone), #","name":"Betty","deviceName":"Pixel""#)
            #expect(answer.status == 200, "\(answer.text)")
            let first: SignInReply = try answer.decoded()
            #expect(first.isNewUser && first.user.phoneNumber == phone && first.user.name == "Betty")
            #expect(try await stack.gateway.get("/api/hello", bearer: first.tokens.accessToken).status == 200)
            let sessions = try await stack.gateway.get("/sessions", bearer: first.tokens.accessToken)
            #expect(sessions.text.contains("Pixel"))
            let byCode = try await stack.signIn(phone: phone)
            #expect(!byCode.isNewUser && byCode.user == first.user)
            let nonce = try await signIn(try await token(phone, #","nonce":"n""#), #","nonce":"n""#)
            #expect(try nonce.decoded(SignInReply.self).user == first.user)
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: first.tokens.refreshToken))
            #expect(refreshed.status == 200)
            #expect(try await stack.gateway.get("/.well-known/latchkey").text.contains(#""phoneTokens":["fpnv"]"#))
        }

        @Test func `a token serves once, and a repeat with the Idempotency-Key has the same session`() async throws {
            let token = try await token("+15550100002")
            let first: SignInReply = try await signIn(token, key: "k-1").decoded()
            let again: SignInReply = try await signIn(token, key: "k-1").decoded()
            #expect(again.tokens.refreshToken == first.tokens.refreshToken && again.isNewUser)
            for key in [nil, "k-2"] {
                let used = try await signIn(token, key: key)
                #expect(used.status == 401 && used.text.contains(#""code":"identity_token_used""#), "\(used.text)")
            }
        }

        @Test func `a number that wrong codes have locked stays locked, and a country without codes stays out`()
            async throws
        {
            let phone = "+15550100003"
            try await stack.requestCode(for: phone)
            let right = try await stack.code(for: phone)
            for number in 1...5 {
                let wrong = String((100_000 + (Int(right) ?? 0) + number) % 900_000 + 100_000)
                _ = try await stack.gateway.post("/auth/otp/verify", #"{"phoneNumber":"\#(phone)","code":"\#(wrong)"}"#)
            }
            let locked = try await signIn(try await token(phone))
            #expect(locked.status == 429 && locked.text.contains(#""limit":"lockout""#), "\(locked.text)")
            let french = try await signIn(try await token("+33612345678"))
            #expect(french.status == 422 && french.text.contains("blocked_country"), "\(french.text)")
        }

        /// Parts of wishes for tokens that are wrong in one thing each.
        private static let wrong = [
            #""fault":"algorithmNone""#, #""fault":"publicKeyAsSecret""#, #""algorithm":"RS256""#,
            #""fault":"foreignKey""#, #""fault":"spoiledSignature""#,
            #""fault":"noSignature""#, #""fault":"changedPayload""#, #""fault":"critical""#,
            #""fault":"twoSignatures""#, #""fault":"duplicateClaim""#, #""fault":"brokenPayload""#, #""type":"at+jwt""#,
            #""type":"""#, #""claims":{"iss":"\"https://fpnv.googleapis.com/projects/1\""}"#,
            #""claims":{"iss":"\"https://securetoken.google.com/example-app\"","phone_number":"\"+15550100004\""}"#,
            #""audience":"https://fpnv.googleapis.com/projects/other""#, #""claims":{"aud":"[]"}"#,
            #""claims":{"aud":"[\"https://fpnv.googleapis.com/projects/example-app\",\"other\"]"}"#,
            #""without":["aud"]"#, #""ageSeconds":900,"lifetimeSeconds":600"#, #""ageSeconds":-3600"#,
            #""without":["iat"]"#, #""without":["exp"]"#, #""without":["sub"]"#, #""claims":{"sub":"15550100004"}"#,
            #""claims":{"sub":"\"15550100004\""}"#, #""claims":{"sub":"\"+1 555 010 0004\""}"#,
            #""claims":{"nonce":"7"}"#,
        ]

        @Test func `wrong tokens have one answer, store nothing, and the audit says which rule`() async throws {
            let before = try await stack.control("users list --limit 200").output
            var answers: Set<String> = []
            for wish in Self.wrong {
                let answer = try await signIn(try await token("+15550100004", "," + wish))
                #expect(answer.status == 401, "\(wish): \(answer.text)")
                answers.insert(answer.text)
            }
            let apple = try await signIn(try await fakes.identityToken().identityToken)
            let nonce = try await signIn(try await token("+15550100004", #","nonce":"m""#), #","nonce":"n""#)
            answers.formUnion([apple.text, nonce.text])
            #expect(answers.count == 1 && answers.first?.contains("invalid_identity_token") == true, "\(answers)")
            #expect(try await stack.control("users list --limit 200").output == before)
            let audit = try await stack.sql(
                "users", "SELECT DISTINCT detail FROM audit WHERE event = 'identity.token_refused'")
            for rule in [
                "phone malformed", "phone wrong_issuer", "fpnv wrong_algorithm", "fpnv bad_signature",
                "fpnv wrong_audience", "fpnv wrong_nonce", "fpnv expired", "fpnv invalid_claim", "fpnv wrong_type",
            ] {
                #expect(audit.contains(rule), "\(audit)")
            }
        }
    }
}
