/// Names of otp-service's keys in Redis; the digit is the form of the values.
///
/// | key | holds | lives |
/// |---|---|---|
/// | `otp:2:n:<bucket>` | hash: numbers by tag, each one value (`Scripts/Lua/number.lua`) | as long as one of them counts |
/// | `otp:2:l:<tag>` | a number whose value is too long for a bucket | as long as something in it counts |
/// | `otp:1:w:<rule>:<window>:<bucket>` | hash: counters of addresses, prefixes, countries | to the end of its window |
/// | `otp:1:b:<tag>` | an address to which no mail is sent, or was not (`Scripts/Lua/bar.lua`) | 7 or 30 days |
/// | `otp:1:x:<tag>` | hash: account mails that an address did not get, how many and the last one | 30 days |
/// | `otp:1:reviews` | hash: which numbers are under review access (`Scripts/Lua/review.lua`) | to the last one's end |
/// | `otp:1:m:<day>:<tag>` | hash: the notices to a number as text messages on a day (`Scripts/Lua/text_notice.lua`) | 2 days |
/// | `otp:1:p` | how long the last messages of a closed app took (`Scripts/Lua/pace.lua`) | 30 days |
/// | `otp:1:s:h:<hour>`, `otp:1:s:d:<day>` | hash: what messages cost, by row of prices (`Scripts/Lua/spend.lua`) | 50 hours, 3 days |
/// | `otp:1:t:<day>:<bucket>` | hash: what happened to each number and address that day (`Scripts/Lua/trace.lua`) | 3 days |
/// | `otp:1:run` | the run of Redis, and since when it is known (`Scripts/Lua/run.lua`) | 400 days |
/// | `otp:1:refusals` | refusals of this minute, by kind | until they are written to the audit |
/// | `audit:otp` | stream of acts | until user-service has moved them |
enum RedisKeys {
    static let refusals = "otp:1:refusals"
    static let reviews = "otp:1:reviews"
    static let pace = "otp:1:p"

    static func bucket(_ number: Int) -> String { "otp:2:n:\(String(number, radix: 16))" }
    static func own(_ recipient: RecipientTag) -> String { "otp:2:l:\(recipient.hex)" }
    static func bar(_ recipient: RecipientTag) -> String { "otp:1:b:\(recipient.hex)" }
    static func swallowed(_ recipient: RecipientTag) -> String { "otp:1:x:\(recipient.hex)" }
    static func textNotices(_ recipient: RecipientTag, day: Int64) -> String { "otp:1:m:\(day):\(recipient.hex)" }
    static func spent(hour: Int64) -> String { "otp:1:s:h:\(hour)" }
    static func spent(day: Int64) -> String { "otp:1:s:d:\(day)" }
    static func trace(day: Int64, bucket: Int) -> String { "otp:1:t:\(day):\(String(bucket, radix: 16))" }
    static func window(_ name: String) -> String { "otp:1:w:\(name)" }
}
