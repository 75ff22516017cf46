import Foundation
import Testing

@testable import LatchkeyAuth

/// The format of the stored item. Every later release reads the golden files of all earlier ones.
@Suite struct StoredItemTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../Clients/golden")
    private static let origin = "https://api.example.com"

    static func record() throws -> SessionRecord {
        let user = try #require(
            User(
                .object([
                    "id": .string("usr_0123456789abcdef"), "phoneNumber": .string("+15551234567"),
                    "name": .string("Betty"),
                    "role": .string("user"), "createdAt": .integer(1_795_614_128), "isChecker": .boolean(false),
                ])))
        return SessionRecord(
            origin: origin, version: StoreVersion(epoch: 3, generation: 17),
            secret: Base64URL.encode((0..<32).map { UInt8($0) }), refreshToken: "rt_0123456789abcdef",
            accessToken: "header.payload.signature", issuedAt: 1_795_614_128, expiresIn: 3600,
            userID: "usr_0123456789abcdef", user: user)
    }

    @Test func `a session has the bytes of its golden file`() throws {
        let golden = try Data(contentsOf: Self.folder.appending(path: "swift-0.7.0.json"))
        #expect(
            String(decoding: StoredItem(.record(try Self.record())).encoded(origin: Self.origin), as: UTF8.self) + "\n"
                == String(decoding: golden, as: UTF8.self))
        #expect(StoredItem(golden, origin: Self.origin) == StoredItem(.record(try Self.record())))
    }

    @Test func `a sign-out has the bytes of its golden file`() throws {
        let golden = try Data(contentsOf: Self.folder.appending(path: "swift-0.7.0-signed-out.json"))
        let item = StoredItem(.signedOut(StoreVersion(epoch: 4, generation: 0), .asked))
        #expect(
            String(decoding: item.encoded(origin: Self.origin), as: UTF8.self) + "\n"
                == String(decoding: golden, as: UTF8.self))
        #expect(StoredItem(golden, origin: Self.origin) == item)
    }

    @Test(arguments: SignOutReason.allCases)
    func `a sign-out is read as it was written`(_ reason: SignOutReason) {
        let item = StoredItem(.signedOut(StoreVersion(epoch: .max / 2, generation: 1), reason))
        #expect(StoredItem(item.encoded(origin: Self.origin), origin: Self.origin) == item)
    }

    @Test func `the key of a renewal derives from secret and token alone`() throws {
        var record = try Self.record()
        #expect(record.renewalKey == "YtLE9rDy1pGxOIduDXBZN1h38o6rZFdXz9CH7zvZKSg")
        let key = record.renewalKey
        record.accessToken = nil
        record.version = StoreVersion(epoch: 9, generation: 9)
        #expect(record.renewalKey == key)
        record.refreshToken = "rt_other"
        #expect(record.renewalKey != key)
        #expect(key.utf8.count == 43)
    }

    @Test func `a long access token is left out, so that the item stays within 4 KiB`() throws {
        var record = try Self.record()
        record.accessToken = String(repeating: "a", count: 3_800)
        let withoutUser = StoredItem(.record(record)).encoded(origin: Self.origin)
        #expect(withoutUser.count <= 4096)
        record.accessToken = String(repeating: "a", count: 8_000)
        let data = StoredItem(.record(record)).encoded(origin: Self.origin)
        #expect(data.count <= 4096)
        guard case .record(let read) = StoredItem(data, origin: Self.origin).content else {
            return #expect(Bool(false))
        }
        #expect(read.accessToken == nil && read.user == nil && read.refreshToken == record.refreshToken)
    }

    @Test func `members of a later release stay`() throws {
        let later = Data(
            #"""
            {"v":2,"min":1,"epoch":3,"generation":17,"origin":"https://api.example.com","issuedAt":1,"expiresIn":3600,
            "secret":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","refreshToken":"rt_1","userID":"usr_1",
            "key":{"alg":"ES256","ref":"k1"}}
            """#.utf8)
        guard case .record(var record) = StoredItem(later, origin: Self.origin).content else {
            return #expect(Bool(false))
        }
        record.refreshToken = "rt_2"
        let written = try #require(JSONText.decode(StoredItem(.record(record)).encoded(origin: Self.origin))?.members)
        #expect(written["v"] == .integer(2) && written["refreshToken"] == .string("rt_2"))
        #expect(written["key"]?.members?["alg"] == .string("ES256"))
    }

    @Test func `kept sign-outs are read as they were written, for their server only`() throws {
        let kept = [
            KeptSignOut(token: .access("a.b.c"), since: 1_800_000_000),
            KeptSignOut(token: .refresh("rt_1"), isEverywhere: true, since: 1_800_000_001),
        ]
        for content in [.record(try Self.record()), .signedOut(.none, .asked)] as [StoredItem.Content] {
            let item = StoredItem(content, kept: kept)
            #expect(StoredItem(item.encoded(origin: Self.origin), origin: Self.origin) == item)
            #expect(StoredItem(item.encoded(origin: Self.origin), origin: "https://other.example").kept.isEmpty)
        }
        #expect(!"\(kept) \(String(reflecting: kept))".contains("rt_1"))
    }

    @Test(arguments: [
        "7", "{}", "[7]", #"[{"since":1}]"#, #"[{"accessToken":"a"}]"#, #"[{"accessToken":7,"since":1}]"#,
        #"[{"accessToken":"a","since":-1}]"#, #"[{"accessToken":"a","since":9223372036854775807}]"#,
        #"[{"accessToken":"a","since":1.5}]"#,
    ])
    func `a damaged list of sign-outs is empty`(_ list: String) {
        let text =
            #"{"v":1,"epoch":2,"generation":0,"signedOut":"asked","origin":"https://api.example.com","unconfirmed":\#(list)}"#
        let item = StoredItem(Data(text.utf8), origin: Self.origin)
        #expect(item == StoredItem(.signedOut(StoreVersion(epoch: 2, generation: 0), .asked)))
    }

    @Test func `nothing is printed that opens a session`() throws {
        let record = try Self.record()
        let pending = PendingCode(destination: .email("a@example.com"), locale: nil)
        let apple = AppleCredential(identityToken: "secret token", email: "a@example.com")
        let values: [Any] = [record, record.user as Any, pending, apple, StoredItem(.record(record))]
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for secret in [
                record.refreshToken, record.secret, "header.", "+1555", "Betty", "example.com", "secret token",
            ] {
                #expect(!text.contains(secret), "\(secret) in \(text)")
            }
        }
    }
}
