/// The bounds of tokens, checked before a token is split or decoded (security guide ).
package enum TokenLimits {
    package static let tokenBytesMax = 8192
    /// The maximum size of the decoded header.
    package static let headerBytesMax = 1024
    package static let depthMax = 8
    package static let keyIDBytesMax = 128
    /// The maximum size of `sub`, `jti` and `sid`, which become header values and Redis keys.
    package static let identifierBytesMax = 256
    package static let leewaySecondsMax: Int64 = 30
    /// The maximum number of seconds that a signer's clock may be ahead of ours.
    package static let futureSecondsMax: Int64 = 60
    /// The maximum number of keys that one verifier uses at once.
    package static let keyCountMax = 64
}
