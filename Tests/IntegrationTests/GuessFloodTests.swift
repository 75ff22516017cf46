import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// Codes under attack, over two replicas (security guide, I-5 to I-8); in full with `LATCHKEY_LONG_TESTS=1`.
    @Suite(.serialized, .timeLimit(.minutes(60)), .stack(["LATCHKEY_REPLICAS": "otp=2"])) struct GuessFloodTests {
        private static let isLong = ProcessInfo.processInfo.environment["LATCHKEY_LONG_TESTS"] == "1"
        private static let challenges = isLong ? 200 : 8
        private static let guesses = isLong ? 1_000 : 200
        private static let attemptsMax = 5

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// Each from a network of its own, so that none becomes known by another's success.
        private static func address(_ number: Int) -> String { "11.\(number / 250).\(number % 250).1" }

        /// Codes in random order, the right one among them.
        private static func guesses(around code: String) -> [String] {
            var guesses: Set<String> = [code]
            while guesses.count < Self.guesses { guesses.insert(String(Int.random(in: 100_000...999_999))) }
            return guesses.shuffled()
        }

        private func sentCode(_ replicas: OTPReplicas, to phone: String) async throws -> String {
            let answer = try await replicas.request(phone, from: "127.0.0.1", turn: 0)
            try #require(answer?.result == .sent)
            return try await stack.code(for: phone)
        }

        @Test func `of a flood of guesses no more are judged than allowed, and few are right`() async throws {
            try await OTPReplicas.run(stack) { replicas in
                var successes = 0
                for _ in 0..<Self.challenges {
                    let phone = LatchkeyStack.freshPhone()
                    let guesses = Self.guesses(around: try await sentCode(replicas, to: phone))
                    let results = try await inParallel(guesses.count, lanes: OTPReplicas.connectionsMax) { number in
                        try await replicas.verify(
                            phone, guesses[number], from: Self.address(number), turn: number)?.result
                    }
                    let judged = results.filter { $0 == .wrongCode || $0 == .approved || $0 == .used }
                    // A guess without an answer (a timeout under load) was not approved.
                    let unanswered = results.filter { $0 == nil }
                    #expect(judged.count <= Self.attemptsMax && judged.count + unanswered.count >= Self.attemptsMax)
                    let refused = results.filter { $0 == .tooManyAttempts }
                    #expect(judged.count + refused.count + unanswered.count == guesses.count)
                    successes += results.filter { $0 == .approved }.count
                }
                // Binomial: more than these happen once in a thousand times at most.
                let expected = Double(Self.challenges * Self.attemptsMax) / Double(Self.guesses)
                #expect(Double(successes) <= expected + 5 * max(1, expected).squareRoot())
                if Self.isLong { #expect(successes <= 6) }
            }
        }

        @Test func `restarts of otp-service and Redis in the middle refill no guesses and end no lockout`() async throws
        {
            let phone = LatchkeyStack.freshPhone()
            let code = try await OTPReplicas.run(stack) { try await sentCode($0, to: phone) }
            let guesses = Self.guesses(around: code).filter { $0 != code }
            let results = try await OTPReplicas.run(stack) { replicas in
                let flood = Task {
                    try await inParallel(guesses.count * 5, lanes: 50) { number in
                        let guess = guesses[number % guesses.count]
                        return try await replicas.verify(phone, guess, from: Self.address(number), turn: number)?.result
                    }
                }
                for name in ["otp", "redis", "otp-2"] { try await stack.restart(name, by: SIGKILL) }
                return try await flood.value
            }
            #expect(results.filter { $0 == .wrongCode }.count <= Self.attemptsMax)
            #expect(results.allSatisfy { $0 == nil || $0 == .wrongCode || $0 == .tooManyAttempts || $0 == .unknown })
            try await stack.untilReady()
            // New connections, since the old ones' pool waits ever longer after each restart.
            try await OTPReplicas.run(stack) { replicas in
                // Spends what the flood has left, if it was cut off early.
                for number in 0..<Self.attemptsMax {
                    _ = try await replicas.verify(phone, guesses[number], from: Self.address(number), turn: number)
                }
            }
            for name in ["otp", "otp-2", "redis"] { try await stack.restart(name, by: SIGKILL) }
            try await stack.untilReady()
            try await OTPReplicas.run(stack) { replicas in
                try await eventually("otp-service answers with the lockout") {
                    let answer = try await replicas.verify(phone, code, from: Self.address(700), turn: 1)
                    return answer?.result == .tooManyAttempts && (answer?.retryAfterSeconds ?? 0) > 3_000
                }
                #expect(try await replicas.request(phone, from: Self.address(701), turn: 0)?.result == .rateLimited)
            }
        }

        @Test func `of many requests at once, over both replicas, the sender sees as many as allowed`() async throws {
            try await OTPReplicas.run(stack) { replicas in
                for _ in 0..<(Self.isLong ? 50 : 5) {
                    let phone = LatchkeyStack.freshPhone()
                    let results = try await inParallel(50, lanes: 50) { number in
                        try await replicas.request(phone, from: Self.address(number), turn: number)?.result
                    }
                    #expect(results.filter { $0 == .sent }.count == 3)
                    #expect(results.filter { $0 == .rateLimited }.count == 47)
                    #expect(try await stack.messages(to: phone).count == 3)
                }
            }
        }

        @Test func `one public address cannot have codes sent to ever more numbers`() async throws {
            try await OTPReplicas.run(stack) { replicas in
                let results = try await inParallel(1_000, lanes: OTPReplicas.connectionsMax) { number in
                    // Numbers that are far apart: it is the address that is limited here.
                    let phone = "+1\(200 + number % 200)\(2_000_000 + (number % 200) * 10_000)"
                    return try await replicas.request(phone, from: "11.9.9.9", turn: number)?.result
                }
                #expect(results.filter { $0 == .sent }.count == 300)
            }
        }

        @Test func `strangers who burn every limit of a number do not stop its owner's phone`() async throws {
            let phone = LatchkeyStack.freshPhone()
            _ = try await stack.signIn(phone: phone)
            try await OTPReplicas.run(stack) { replicas in
                for number in 0..<10 { _ = try await replicas.request(phone, from: Self.address(number), turn: number) }
                let code = try await stack.code(for: phone)
                for number in 0..<40 {
                    let guess = String(100_000 + (number + (Int(code) ?? 0)) % 900_000)
                    _ = try await replicas.verify(
                        phone, guess == code ? "000000" : guess, from: Self.address(number), turn: number)
                }
                #expect(try await replicas.request(phone, from: Self.address(99), turn: 0)?.result == .rateLimited)
            }
            let signIn = try await stack.signIn(phone: phone)
            #expect(!signIn.isNewUser)
        }

        @Test func `an access token opens its owner's scope in a strange network`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await OTPReplicas.run(stack) { replicas in
                // Verified elsewhere, so that the gateway's client, on the loopback, stays a stranger.
                let other = try await stack.signIn()
                for _ in 0..<3 { _ = try await replicas.request(phone, from: "127.0.0.1", turn: 0) }
                let body = #"{"phoneNumber":"\#(phone)","countryCode":"US"}"#
                #expect(try await stack.gateway.post("/auth/otp/request", body).status == 429)
                #expect(
                    try await stack.gateway.post("/auth/otp/request", body, bearer: other.tokens.accessToken).status
                        == 429)
                let code = try await stack.code(for: phone)
                let answer = try #require(try await replicas.verify(phone, code, from: Self.address(1), turn: 0))
                let owner = try await session(of: answer)
                #expect(try await stack.gateway.post("/auth/otp/request", body, bearer: owner).status == 200)
                #expect(try await stack.gateway.post("/auth/otp/request", body, bearer: "x" + owner).status == 429)
            }
        }

        /// The access token of a session opened with an attestation, as the gateway opens it.
        private func session(of answer: OTPVerifyAnswer) async throws -> String {
            let services = ServiceCaller(stack: stack)
            let attestation = try #require(answer.attestation)
            let resolved: ResolveAnswer = try await services.post(
                "user", UserContract.resolvePath, ResolveRequest(attestation: attestation, name: nil)
            ).decoded()
            let tokens: TokenSet = try await services.post(
                "token", TokenContract.issuePath, IssueRequest(grant: resolved.grant, dialect: "native")
            ).decoded()
            return tokens.accessToken
        }

        @Test func `audit records reach the database and leave the stream`() async throws {
            _ = try await stack.signIn()
            try await eventually("the sign-in's records are in users.sqlite") {
                let files = try Self.contents(of: stack.dataDirectory) { $0.hasPrefix("users.sqlite") }
                return ["otp.sent", "otp.approved"].allSatisfy { event in
                    files.contains { $0.text.contains(event) }
                }
            }
        }

        @Test func `neither codes nor numbers are in logs, metrics, errors, or anywhere in Redis' files`() async throws
        {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            var traces: [String] = []
            for wrong in ["x\(code)", "\(code)1"] {
                let body = #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"\#(wrong)"}"#
                traces.append(try await stack.gateway.post("/auth/otp/verify", body).text)
            }
            for body in ["[\"\(phone)\",\"\(code)\"]", "{\"phoneNumber\":\"\(phone)\",\"code\":\(code)}"] {
                let answer = try await stack.gateway.post("/auth/otp/verify", body)
                #expect(answer.status == 400)
                traces.append(answer.text)
            }
            _ = try await stack.gateway.get("/auth/otp/verify?code=\(code)&phone=\(phone)")
            for name in ["gateway", "otp", "otp-2", "token", "user", "inbox"] {
                let metrics = try await stack.operations(name).get("/metrics")
                #expect(metrics.status == 200)
                traces.append(metrics.text)
            }
            // The table of users is where numbers belong.
            let files = try Self.contents(of: stack.dataDirectory) { !$0.hasPrefix("users.sqlite") }
            #expect(files.contains { $0.name.hasPrefix("redis/") && $0.text.contains("otp:1:n:") })
            traces += files.map(\.text)
            let digits = String(phone.dropFirst())
            for canary in [code, phone, digits, String(digits.dropFirst())].flatMap(Self.spellings) {
                let found = files.first { $0.text.contains(canary) }?.name ?? "an answer"
                #expect(!traces.contains { $0.contains(canary) }, "\(canary) is in \(found)")
            }
        }

        /// Every way in which a secret text could stand in a file.
        private static func spellings(_ text: String) -> [String] {
            let bytes = Array(text.utf8)
            let whole = [text, Hex.encode(bytes), Hex.encode(bytes).uppercased()]
            // Base64 of a longer text holds that of a part in one of three shifts, but for its ends.
            let shifted = (0..<3).map { shift -> String in
                let encoded = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
                return String(encoded.filter { $0 != "=" }.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(1))
            }
            return whole + shifted
        }

        private static func contents(
            of directory: String, where isMeant: (String) -> Bool
        ) throws -> [(name: String, text: String)] {
            try FileManager.default.subpathsOfDirectory(atPath: directory).filter(isMeant).compactMap { name in
                let path = "\(directory)/\(name)"
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                return (name, String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self))
            }
        }
    }
}
