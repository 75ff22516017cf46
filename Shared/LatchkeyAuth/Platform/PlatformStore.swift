/// The store of a ``LatchkeyAuth`` whose configuration names none.
enum PlatformStore {
    static func make(profile: String) -> any SessionStore {
        #if canImport(Security)
        KeychainStore(profile: profile)
        #else
        FileStore(profile: profile)
        #endif
    }
}
