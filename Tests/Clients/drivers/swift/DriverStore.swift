import Foundation
import LatchkeyAuth

/// The store under test: the runner's, or on a stub of Apple's systems the Keychain (`run.py --keychain`).
func makeStore(_ wire: Wire) -> any SessionStore {
    #if canImport(Security)
    if ProcessInfo.processInfo.environment["LATCHKEY_STUB_KEYCHAIN"] != nil {
        return TimedStore(wire: wire, store: KeychainStore())
    }
    #endif
    return RunnerStore(wire: wire)
}

/// A store that asks the runner for the time before each call, as the runner's own store does. The clocks of a process that was
/// frozen are right after that.
struct TimedStore: SessionStore {
    let wire: Wire
    let store: any SessionStore

    func load() throws(StoreFailure) -> Data? {
        _ = wire.ask(Line(what: "time"))
        return try store.load()
    }

    func keepNewer(_ data: Data, version: StoreVersion) throws(StoreFailure) -> Data? {
        _ = wire.ask(Line(what: "time"))
        return try store.keepNewer(data, version: version)
    }
}
