/// Bounds of publishing revocations.
enum RevocationLimits {
    /// A revocation outlives the last access token by more than any clock skew and leeway that we accept.
    static let extraSeconds: Int64 = 120
    /// Revocations that one script call writes.
    static let batchMax = 128
    /// Pause between two looks at what is unpublished and at Redis' mark.
    static let intervalMilliseconds: Int64 = 250
}
