/// A line of an import that cannot be, and a part of what the command says of it.
struct SpoiledLine: Sendable {
    let text: [UInt8]
    let problem: String

    init(_ text: String, _ problem: String) { (self.text, self.problem) = (Array(text.utf8), problem) }

    /// Returns lines with a conflict with existing data: each differs from a good line in one thing.
    ///
    /// - Parameters:
    ///   - id: of a user, without prefix.
    ///   - email: of another one.
    ///   - phone: of a third.
    static func all(beside id: String, _ email: String, _ phone: String) -> [SpoiledLine] {
        let taken = [
            SpoiledLine(#"{"id":"\#(id)","legacyID":"x","phone":"+14155550190"}"#, "id is another user's"),
            SpoiledLine(
                #"{"legacyID":"x","email":"\#(email)","emailVerified":true,"phone":"+14155550190"}"#,
                "email is another user's"),
            SpoiledLine(
                #"{"email":"\#(email)","emailVerified":false,"phone":"+14155550190"}"#, "email is another user's"),
            SpoiledLine(#"{"legacyID":"x","phone":"\#(phone)"}"#, "phone is another user's"),
        ]
        return [grammar, types, contacts, facts, hashes, taken].flatMap { $0 }
    }

    private static let grammar = [
        SpoiledLine("nonsense", "is no JSON object"),
        SpoiledLine(#"["+14155550190"]"#, "is no JSON object"),
        SpoiledLine("null", "is no JSON object"),
        SpoiledLine(#"{"phone":"+14155550190",}"#, "is no JSON object"),
        SpoiledLine(#"{"phone":"+14155550190"} {"phone":"+14155550191"}"#, "is no JSON object"),
        SpoiledLine(#"{"phone":"+14155550190","phone":"+14155550191"}"#, "is no JSON object"),
        SpoiledLine(#"{"phone":"+14155550190""#, "is no JSON object"),
        SpoiledLine(#"{"phone":"+14155550190","name":"\ud800"}"#, "is no JSON object"),
        SpoiledLine("{\"phone\":\"+14155550190\",\"name\":\"a\u{1}b\"}", "is no JSON object"),
        SpoiledLine(
            #"{"phone":"+14155550190","name":"# + String(repeating: "[", count: 100)
                + String(repeating: "]", count: 100)
                + "}", "is no JSON object"),
        SpoiledLine(
            [UInt8](#"{"phone":"+14155550190","name":""#.utf8) + [0xFF] + [UInt8](#""}"#.utf8), "is no JSON object"),
        SpoiledLine(String(repeating: " ", count: 16_400) + #"{"phone":"+14155550190"}"#, "is longer than 16384 bytes"),
        SpoiledLine(String(repeating: "x", count: 10_000_000), "is longer than 16384 bytes"),
        SpoiledLine(#"{"phone":"+14155550190","Phone":"+14155550191"}"#, #"has unknown members: "Phone""#),
        SpoiledLine(#"{"phone":"+14155550190","\u001b[2J":1}"#, #"has unknown members: "\u{1B}[2J""#),
    ]

    private static let types = [
        SpoiledLine(#"{"phone":14155550190}"#, "phone has the wrong type"),
        SpoiledLine(#"{"email":["a@example.com"],"emailVerified":true}"#, "email has the wrong type"),
        SpoiledLine(#"{"email":{"a":"a@example.com"},"emailVerified":true}"#, "email has the wrong type"),
        SpoiledLine(#"{"email":"a@example.com","emailVerified":"true"}"#, "emailVerified has the wrong type"),
        SpoiledLine(#"{"email":"a@example.com","emailVerified":1}"#, "emailVerified has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","isActive":"yes"}"#, "isActive has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","createdAt":"2024-01-01"}"#, "createdAt has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","createdAt":1.5}"#, "createdAt has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","createdAt":1e300}"#, "createdAt has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","createdAt":9223372036854775808}"#, "createdAt has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","legacyID":7}"#, "legacyID has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","id":7}"#, "id has the wrong type"),
        SpoiledLine(#"{"phone":"+14155550190","passwordHash":7}"#, "passwordHash has the wrong type"),
    ]

    private static let contacts = [
        SpoiledLine("{}", "Give at least one of email, phone and identities"),
        SpoiledLine(#"{"email":"a@example.com"}"#, "emailVerified is missing"),
        SpoiledLine(#"{"email":"nonsense","emailVerified":true}"#, "email is not a valid email address"),
        SpoiledLine(
            #"{"email":"a@example.com\r\nBcc: b@example.com","emailVerified":true}"#,
            "email is not a valid email address"),
        SpoiledLine(
            #"{"email":"a@example.com,b@example.com","emailVerified":true}"#, "email is not a valid email address"),
        SpoiledLine(#"{"email":"ä@example.com","emailVerified":true}"#, "email is not a valid email address"),
        SpoiledLine(#"{"phone":"12"}"#, "phone is not a valid phone number"),
        SpoiledLine(#"{"phone":"+9991234567890123"}"#, "phone is not a valid phone number"),
        SpoiledLine(#"{"phone":""}"#, "phone is not a valid phone number"),
    ]

    private static let facts = [
        SpoiledLine(#"{"phone":"+14155550190","id":"abc"}"#, "id is not a UUID"),
        SpoiledLine(#"{"phone":"+14155550190","id":"0190163d8694739baea5966c26f8ad91"}"#, "id is not a UUID"),
        SpoiledLine(
            #"{"phone":"+14155550190","id":"00000000-0000-0000-0000-000000000000"}"#, "id must not be all zeros"),
        SpoiledLine(#"{"phone":"+14155550190","legacyID":""}"#, "legacyID is empty or longer than 128 characters"),
        SpoiledLine(
            #"{"phone":"+14155550190","legacyID":"\#(String(repeating: "x", count: 129))"}"#,
            "legacyID is empty or longer than 128 characters"),
        SpoiledLine(#"{"phone":"+14155550190","legacyID":"a\u0000b"}"#, "legacyID has a zero character"),
        SpoiledLine(
            #"{"phone":"+14155550190","name":"\u202Ex"}"#,
            "invalid name: at most 100 characters, no control or direction characters"),
        SpoiledLine(
            #"{"phone":"+14155550190","name":"\#(String(repeating: "x", count: 101))"}"#,
            "invalid name: at most 100 characters, no control or direction characters"),
        SpoiledLine(
            #"{"phone":"+14155550190","role":"a b"}"#,
            "role is not 1 to 64 of A-Z a-z 0-9 . _ -, and not anon, service_role, postgres or supabase_*"),
        SpoiledLine(
            #"{"phone":"+14155550190","role":""}"#,
            "role is not 1 to 64 of A-Z a-z 0-9 . _ -, and not anon, service_role, postgres or supabase_*"),
        SpoiledLine(
            #"{"email":"new@example.com","emailVerified":false,"role":"admin"}"#,
            "role needs a verified email, a phone or an identity"),
        SpoiledLine(#"{"phone":"+14155550190","createdAt":-1}"#, "createdAt is not a Unix time from 0 to now"),
        SpoiledLine(
            #"{"phone":"+14155550190","createdAt":9223372036854775807}"#, "createdAt is not a Unix time from 0 to now"),
        // Milliseconds, as JavaScript has them.
        SpoiledLine(
            #"{"phone":"+14155550190","createdAt":1700000000000}"#, "createdAt is not a Unix time from 0 to now"),
    ]

    private static let hashes = [
        SpoiledLine(
            #"{"phone":"+14155550190","passwordHash":"$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"}"#,
            "passwordHash is allowed only with an email"),
        with("$firebase$AAAA$AAAA", "has a hash of Firebase; --firebase is needed"),
    ]

    /// Hashes that are not accepted, with the reason: their users are added without a password.
    static let refusedHashes: [(hash: String, isCostly: Bool)] = {
        let salted = "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        return [
            ("$2a$15$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i", true),
            ("$2a$31$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i", true),
            ("$argon2id$v=19$m=4194304,t=3,p=1" + salted, true),
            ("$argon2id$v=19$m=8,t=4294967295,p=1" + salted, true),
            ("$argon2id$v=19$m=65536,t=3,p=255" + salted, true),
            // In our own form, of a cost that a policy may set.
            ("$argon2id$v=19$m=262144,t=10,p=1" + salted, true),
            // Firebase's as it is stored, with parameters of its own: N of 2^30.
            ("$fbscrypt$v=1,n=30,r=8,p=1,ss=Bw==,sk=AAAAAAAAAAAAAAAAAAAAAA==$AAAA$AAAAAAAAAAAAAAAAAAAAAA==", true),
            // ASP.NET Identity version 3, with 4,294,967,295 rounds.
            ("AQAAAAH/////AAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", true),
            ("5f4dcc3b5aa765d61d8327deb882cf99", false), ("correct horse battery", false), ("", false),
            ("REDACTED", false), (String(repeating: "A", count: 2_000), false), ("!unusable", false),
        ]
    }()

    private static func with(_ hash: String, _ problem: String) -> SpoiledLine {
        SpoiledLine(#"{"email":"new@example.com","emailVerified":true,"passwordHash":"\#(hash)"}"#, problem)
    }

    private init(_ text: [UInt8], _ problem: String) { (self.text, self.problem) = (text, problem) }
}
