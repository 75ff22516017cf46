/// The numbers of `m=65536,t=3,p=4`, in their one spelling and order.
struct HashParameters {
    let numbers: [Int]

    /// Returns `nil` unless the text has exactly these members, each a number without a sign.
    init?(_ text: Substring, named names: [String]) {
        let members = text.split(separator: ",", omittingEmptySubsequences: false)
        guard members.count == names.count else { return nil }
        let read = zip(members, names).map { member, name in
            member.hasPrefix(name + "=") ? Self.number(member.dropFirst(name.count + 1)) : nil
        }
        numbers = read.compactMap { $0 }
        guard numbers.count == names.count else { return nil }
    }

    /// The number of some digits, or `nil` for any other text. A number that exceeds `Int` is `Int.max`: it is too costly.
    static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        return Int(digits) ?? .max
    }
}
