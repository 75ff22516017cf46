import CommonPasswordList

/// The passwords that attackers try first: those with at least eight characters from a list of the most frequent ones.
enum CommonPasswords {
    /// Sorted by bytes; created when the first password is looked up.
    static let all: [Substring] = commonPasswordList.split(separator: "\n")

    /// - Parameter password: A password in lower case.
    static func contains(_ password: String) -> Bool {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].utf8.lexicographicallyPrecedes(password.utf8) { low = middle + 1 } else { high = middle }
        }
        return low < all.count && all[low].utf8.elementsEqual(password.utf8)
    }
}
