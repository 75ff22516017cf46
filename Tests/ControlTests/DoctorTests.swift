import Foundation
import InternalAPI
import Policies
import RedisClient
import ServiceCalls
import ServiceKit
import TLSPairs
import TestSupport
import Testing

@testable import ControlCore

/// `latchkeyctl doctor`: what each finding is, of values that a deployment may have.
@Suite struct DoctorTests {
    private static let info = [
        "redis_version": "7.2.4", "maxmemory_policy": "noeviction", "used_memory": "1048576", "maxmemory": "104857600",
        "server_time_usec": "1700000000000000", "loading": "0",
    ]

    private func levels(_ changes: [String: String], now: Double = 1_700_000_000) -> [String: Finding.Level] {
        let findings = DoctorRedis.judged(Self.info.merging(changes) { $1 }, in: .production, now: now)
        return Dictionary(findings.map { ($0.name, $0.level) }) { $0 == .ok ? $1 : $0 }
    }

    @Test func `a good Redis has no warning`() {
        #expect(levels([:]).values.allSatisfy { $0 == .ok } && levels([:]).count == 4)
    }

    @Test(
        arguments: [
            ("redis", ["redis_version": "6.2.1"], Finding.Level.fault), ("redis", ["redis_version": "?"], .fault),
            ("redis", ["redis_version": "10.0.0"], .ok), ("redis", ["loading": "1"], .warning),
            ("redis eviction", ["maxmemory_policy": "allkeys-lru"], .fault),
            ("redis memory", ["maxmemory": "0"], .warning), ("redis memory", ["used_memory": "83886080"], .fault),
            ("redis memory", ["used_memory": "75000000"], .warning), ("redis memory", ["used_memory": "70000000"], .ok),
            ("clock of redis", ["server_time_usec": "1700000000600000"], .ok),
            ("clock of redis", ["server_time_usec": "1700000002000000"], .warning),
            ("clock of redis", ["server_time_usec": "1699999000000000"], .fault),
        ] as [(String, [String: String], Finding.Level)]) func `each fault of Redis is one`(
            name: String, changes: [String: String], level: Finding.Level
        )
    {
        #expect(levels(changes)[name] == level)
    }

    @Test func `Redis without functions, without an account and without a reply say different things`() {
        #expect(DoctorRedis.functions(isMissing: true, "latchkey_otp_1").text.contains("latchkeyctl redis load"))
        #expect(DoctorRedis.unreached(RedisError(.authenticationFailed, "WRONGPASS")).text.contains("REDIS_USER"))
        #expect(DoctorRedis.unreached(RedisError(.notConnected, "refused")).text.contains("REDIS_URL"))
    }

    @Test(
        arguments: [
            (UInt64(10) << 30, UInt64?(5_000), Finding.Level.ok), (UInt64(10) << 30, nil, .ok),
            (UInt64(512) << 20, nil, .warning), (UInt64(1), nil, .fault), (UInt64(10) << 30, 3, .fault),
        ] as [(UInt64, UInt64?, Finding.Level)]) func `a full disk is a fault`(
            bytes: UInt64, files: UInt64?, level: Finding.Level
        )
    {
        #expect(DoctorDisk.judged("/data", freeBytes: bytes, freeFiles: files).level == level)
    }

    @Test func `a folder that does not exist is a fault`() {
        #expect(DoctorDisk.finding("/nonexistent/data").level == .fault)
        #expect(DoctorDisk.finding("/").text.contains("MB free"))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Int64?(784_111_777)), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_199), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Nov 99999 08:49:37 GMT", nil),
            ("Sun, 66 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49 GMT", nil),
        ] as [(String, Int64?)]) func `the date of a response is read`(text: String, seconds: Int64?)
    {
        #expect(WordedDate.seconds(text) == seconds)
    }

    @Test(
        arguments: [
            (200, true, false, Finding.Level.ok), (401, true, false, .fault), (403, true, false, .fault),
            (401, false, false, .ok), (404, false, false, .ok), (404, false, true, .fault),
            (503, false, true, .warning),
        ] as [(Int, Bool, Bool, Finding.Level)]) func `a provider's status is judged`(
            status: Int, credentials: Bool, success: Bool, level: Finding.Level
        )
    {
        var probe = ProviderProbe(
            "twilio", url: "https://user:key@api.example.com/secret?key=1", place: "TWILIO_API_URL")
        (probe.showsCredentials, probe.mustSucceed) = (credentials, success)
        let finding = DoctorReach.judged(probe, status: status)
        #expect(finding.level == level)
        #expect(!finding.text.contains("key") && !finding.text.contains("secret"))
    }

    @Test func `a certificate that expires, is for another host, or does not exist, is found`() async throws {
        let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        let authority = try await TestAuthority.make(in: folder)
        try FileManager.default.createDirectory(atPath: folder + "/pairs", withIntermediateDirectories: true)
        try await authority.issue("a", .init(names: ["auth.example.com"])).place(in: folder + "/pairs", as: "default")
        let entries = try TLSFolder(folder + "/pairs").read()
        let now = Int64(Date().timeIntervalSince1970)
        func levels(_ host: String?, after days: Int64) -> [Finding.Level] {
            DoctorCertificates.judged(entries, host: host, pins: [], now: now + days * 86_400).map(\.level)
        }
        #expect(levels("auth.example.com", after: 0) == [.ok])
        #expect(levels(nil, after: 20) == [.warning])
        #expect(levels("auth.example.com", after: 31) == [.fault])
        #expect(levels("other.example.com", after: 0) == [.ok, .fault])
        #expect(DoctorCertificates.judged([], host: nil, pins: [], now: now).map(\.level) == [.fault])
    }

    @Test func `the certificate of a service's own port is judged by its end`() {
        func level(_ seconds: Int64) -> Finding.Level {
            DoctorCertificates.judged(validUntil: 100 + seconds, now: 100).level
        }
        #expect(level(-1) == .fault && level(0) == .warning)
        #expect(level(14 * 86_400 - 1) == .warning && level(14 * 86_400) == .ok)
    }

    @Test func `the process is that of the account at Redis unless the argument names one`() throws {
        #expect(try DoctorCommand.process(nil, variables: ["REDIS_USER": "otp"]) == .otp)
        #expect(try DoctorCommand.process(.user, variables: ["REDIS_USER": "otp"]) == .user)
        for variables in [[:], ["REDIS_USER": "functions"], ["REDIS_USER": "control"]] {
            #expect(throws: (any Error).self) { try DoctorCommand.process(nil, variables: variables) }
        }
    }

    @Test func `a copy that is older than a minute, or fails, is a warning`() {
        #expect(DoctorCopy.judged(ageSeconds: 60, failure: nil) == .ok("copy", "the continuous copy is 1 min old"))
        #expect(DoctorCopy.judged(ageSeconds: -3, failure: nil).level == .ok)
        #expect(DoctorCopy.judged(ageSeconds: 61, failure: nil).level == .warning)
        let failing = DoctorCopy.judged(ageSeconds: 5, failure: "the target is full")
        #expect(failing.level == .warning && failing.text.contains("the target is full"))
    }
}
