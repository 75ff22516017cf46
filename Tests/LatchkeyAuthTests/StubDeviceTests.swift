#if canImport(StubDarwin)
import Testing

/// The tests over the stub Keychain. There is one for the process, so they run one after the other.
@Suite(.serialized) enum StubDeviceTests {}
#endif
