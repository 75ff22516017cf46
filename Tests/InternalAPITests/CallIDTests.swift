import InternalAPI
import Testing

@Suite struct CallIDTests {
    private func id(
        _ path: String = "/a", key: String = "key-1", caller: String = "usr_1", body: String = "{}"
    ) throws -> String {
        CallID.of(path, key: try #require(IdempotencyKey(key)), caller: caller, body: Array(body.utf8))
    }

    @Test func `the same request with the same key is the same call`() throws {
        #expect(try id() == id())
        #expect(try id().count == CallID.random().count)
        // Processes of two releases derive the same.
        #expect(try id() == "c5b1013b21f0fe98a4b64b2a5bcf0e8f")
    }

    @Test func `another operation, key, caller or body is another call`() throws {
        let ids = [
            try id(), try id("/b"), try id(key: "key-2"), try id(caller: ""), try id(body: "{} "),
            // The same bytes in a row, cut elsewhere.
            try id(key: "key-1u", caller: "sr_1"), try id(caller: "usr_1{", body: "}"),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test func `without a key every call is another`() {
        #expect(CallID.random() != CallID.random())
    }
}
