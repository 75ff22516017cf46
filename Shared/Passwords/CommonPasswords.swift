/// The passwords that are tried first: those of eight characters and more in a list of the most frequent ones.
enum CommonPasswords {
    /// In the order of their bytes; made when the first one is looked up.
    static let all: [Substring] = commonPasswordList.split(separator: "\n")

    /// - Parameter password: in lower case.
    static func contains(_ password: String) -> Bool {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].utf8.lexicographicallyPrecedes(password.utf8) { low = middle + 1 } else { high = middle }
        }
        return low < all.count && all[low].utf8.elementsEqual(password.utf8)
    }
}
