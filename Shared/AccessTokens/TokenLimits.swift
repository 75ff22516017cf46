/// Bounds on tokens, checked before anything is split or decoded (security guide ).
package enum TokenLimits {
    package static let tokenBytesMax = 8192
    /// The decoded header.
    package static let headerBytesMax = 1024
    package static let depthMax = 8
    package static let keyIDBytesMax = 128
    /// `sub`, `jti` and `sid`: they become header values and Redis keys.
    package static let identifierBytesMax = 256
    package static let leewaySecondsMax: Int64 = 30
    /// How far a signer's clock may be ahead of ours.
    package static let futureSecondsMax: Int64 = 60
    /// Keys that one verifier knows at once.
    package static let keyCountMax = 64
}
