/// A stand-in with the declarations that the library uses of Apple's type. It is compiled and never run.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(initialState: State) {}

    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        fatalError("a stand-in for the compiler")
    }
}
