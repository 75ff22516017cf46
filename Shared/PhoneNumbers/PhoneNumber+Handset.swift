extension PhoneNumber {
    /// The text that identifies the number in counters: the same for all spellings that reach one handset.
    ///
    /// It is for counting only. Messages, challenges, proofs and identities have `e164`. The two differ for Argentina,
    /// whose counters keep their form from before `e164` had the `9`.
    package var handset: String {
        let digits = e164.dropFirst()
        guard callingCode == 54, digits.utf8.count == 13, digits.hasPrefix("549") else { return e164 }
        return "+54\(digits.dropFirst(3))"
    }
}
