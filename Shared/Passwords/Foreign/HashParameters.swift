/// The numbers of `m=65536,t=3,p=4`, in the one spelling and order that they have.
struct HashParameters {
    let numbers: [Int]

    /// - Returns: nil unless exactly these members are there, each a number without sign.
    init?(_ text: Substring, named names: [String]) {
        let members = text.split(separator: ",", omittingEmptySubsequences: false)
        guard members.count == names.count else { return nil }
        let read = zip(members, names).map { member, name in
            member.hasPrefix(name + "=") ? Self.number(member.dropFirst(name.count + 1)) : nil
        }
        numbers = read.compactMap { $0 }
        guard numbers.count == names.count else { return nil }
    }

    /// Nil for anything but digits, and for more than fit.
    static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        return Int(digits)
    }
}
