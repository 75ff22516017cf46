import FoundationEssentials
import InternalAPI
import TestSupport
import Testing

@testable import BenchCore

extension Live {
    /// The traces that sign-ins leave (security guide, R-90); in full by `deploy/attack`.
    @Suite(
        .serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_REPLICAS": "otp=2", "LATCHKEY_LOG_LEVEL": "trace"]))
    struct CodeTraceTests {
        private static let phones = LongRun.isOn ? 40 : 2

        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `neither codes nor numbers are in logs, metrics, errors, or anywhere in Redis' files`() async throws
        {
            try await CodeTraces(stack).find(after: Self.phones)
        }

        @Test func `control: a canary is found however it is spelled`() {
            let canary = Canary("472918")
            let spellings = ["code=472918", "\"472918\"", "343732393138", "code=472918 ok".base64, "a472918 b".base64]
            for text in spellings + ["xy472918".base64] { #expect(canary.stands(in: Array(text.utf8)), "\(text)") }
            for text in ["1472918", "4729180", "0123abcd472918ef01234567", "472 918", ""] {
                #expect(!canary.stands(in: Array(text.utf8)), "\(text)")
            }
            #expect(Canary.number("+15551234567").contains { $0.stands(in: Array("5551234567".utf8)) })
        }

        @Test(.onFiles) func `audit records reach the database and leave the stream`() async throws {
            _ = try await stack.signIn()
            try await eventually("the sign-in's records are in users.sqlite") {
                let files = try Trace.files(in: stack.dataDirectory) { $0.hasPrefix("users.sqlite") }
                return ["otp.sent", "otp.approved"].allSatisfy { event in files.contains { $0.holds(event) } }
            }
        }
    }
}

extension Live {
    /// The traces if Twilio gets both, through each of its senders.
    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        .stack([
            "LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-verify,twilio-messaging", "LATCHKEY_LOG_LEVEL": "trace",
        ]))
    struct TwilioCodeTraceTests {
        @Test(arguments: ["twilio-verify", "twilio-messaging"])
        func `what goes through Twilio leaves no code and no number here`(sender: String) async throws {
            let stack = try #require(RunningStack.current)
            let fakes = try FakeProviders(of: stack)
            try await fakes.clearScript()
            if sender == "twilio-messaging" {
                // The first sender's failures are logged too.
                try await fakes.script(
                    #"[{"provider":"twilio-verify","at":"create","code":60410,"status":403,"always":true}]"#)
            }
            try await CodeTraces(stack).find(after: LongRun.isOn ? 20 : 1)
        }
    }

    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        .stack(["LATCHKEY_FAKES": "1", "OTP_SENDER": "twilio-verify-managed", "LATCHKEY_LOG_LEVEL": "trace"]))
    struct ManagedCodeTraceTests {
        @Test func `codes that Twilio makes are known to nobody here`() async throws {
            try await CodeTraces(try #require(RunningStack.current)).find(after: LongRun.isOn ? 20 : 1)
        }
    }
}

extension Live {
    /// The traces if messages go to a hook.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct HookCodeTraceTests {
        @Test func `what goes to a hook leaves no code and no number here`() async throws {
            let environment = ["LATCHKEY_LOG_LEVEL": "trace"]
            try await StackUnderLoad.run(name: "HookCodeTraces", environment: environment) { load in
                try await CodeTraces(load.stack) { phone in try #require(load.hooks.takeCode(for: phone)) }
                    .find(after: LongRun.isOn ? 20 : 1)
            }
        }
    }
}

/// Looks for codes and numbers wherever they do not belong.
private struct CodeTraces {
    let stack: LatchkeyStack
    /// The code that went to a number.
    let code: (String) async throws -> String

    init(_ stack: LatchkeyStack, code: ((String) async throws -> String)? = nil) {
        self.stack = stack
        self.code = code ?? { try await stack.code(for: $0) }
    }

    /// Signs people in, with errors on the way, and searches what that has left behind.
    func find(after phones: Int) async throws {
        var canaries: [Canary] = []
        var traces: [Trace] = []
        for _ in 0..<phones {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await code(phone)
            canaries += [Canary(code)] + Canary.number(phone)
            traces += try await errors(phone, code)
            traces.append(try await signIn(phone, code))
        }
        let names = try stack.processes.filter { $0 != "redis" }
        for name in names {
            let metrics = try await stack.operations(name).get("/metrics")
            #expect(metrics.status == 200)
            traces.append(Trace("metrics of \(name)", metrics.text))
        }
        // The table of users is where numbers belong.
        let files = try Trace.files(in: stack.dataDirectory) { !$0.hasPrefix("users.sqlite") }
        #expect(files.contains { $0.name.hasPrefix("redis/") && $0.holds("otp:2:n:") })
        #expect(files.contains { $0.name == "log/otp.log" && !$0.bytes.isEmpty })
        for trace in traces + files {
            for canary in canaries { #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)") }
        }
        LongRun.report(
            "traces: \(canaries.count) canaries, \(traces.count) answers and metrics, \(files.count) files of "
                + "\(files.reduce(0) { $0 + $1.bytes.count }) bytes: nothing")
    }

    /// Answers to requests that something is wrong with.
    private func errors(_ phone: String, _ code: String) async throws -> [Trace] {
        let calls = [
            ("a wrong code", #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"x\#(code)"}"#),
            ("a long code", #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"\#(code)1"}"#),
            ("no number", #"{"phoneNumber":"\#(phone)99999","countryCode":"US","code":"\#(code)"}"#),
            ("an array", #"["\#(phone)","\#(code)"]"#),
            ("a number", #"{"phoneNumber":"\#(phone)","code":\#(code)}"#),
            ("no end", #"{"phoneNumber":"\#(phone)","code":"\#(code)""#),
        ]
        var traces: [Trace] = []
        for (name, body) in calls {
            let answer = try await stack.gateway.post("/auth/otp/verify", body)
            #expect((400..<500).contains(answer.status))
            traces.append(Trace("the answer to \(name)", answer.text))
        }
        let digits = phone.dropFirst()
        let query = try await stack.gateway.get("/auth/otp/verify?code=\(code)&phone=%2B\(digits)")
        return traces + [Trace("the answer to a query", query.text)]
    }

    /// Signs in; the answer tells its user the number, and no code.
    private func signIn(_ phone: String, _ code: String) async throws -> Trace {
        let body = #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"\#(code)"}"#
        let answer = try await stack.gateway.post("/auth/otp/verify", body)
        #expect(answer.status == 200)
        #expect(!Canary(code).stands(in: Array(answer.text.utf8)))
        let again = try await stack.gateway.post("/auth/otp/verify", body)
        #expect(again.status == 401)
        return Trace("the answer to a used code", again.text)
    }
}

extension String {
    fileprivate var base64: String { Data(utf8).base64EncodedString() }
}
