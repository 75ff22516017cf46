extension RedisClient {
    /// Loads libraries, including those that are loaded already, and deletes those that upgrades have left.
    ///
    /// Running functions are not affected: Redis replaces a library in one step. A full Redis refuses to replace a library,
    /// which then stays unchanged.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: the names of the deleted libraries.
    package func load(_ libraries: [RedisLibrary], now: Int64) async throws(RedisError) -> [String] {
        let present = Set(try await listed().map(\.name))
        for library in libraries {
            do throws(RedisError) {
                _ = try await send(["FUNCTION", "LOAD", "REPLACE", .text(library.source(loadedAt: now))])
            } catch {
                guard error.replyPrefix == "OOM", present.contains(library.name) else { throw error }
            }
        }
        let listed = try await listed()
        let superfluous = RedisLibraryListing.superfluous(listed, keeping: Set(libraries.map(\.name)))
        for name in superfluous { _ = try await send(["FUNCTION", "DELETE", .text(name)]) }
        return superfluous
    }

    private func listed() async throws(RedisError) -> [RedisLibraryListing] {
        RedisLibraryListing.read(
            try await send(["FUNCTION", "LIST", "LIBRARYNAME", "\(RedisLibrary.prefix)_*"]))
    }

    /// Whether Redis has the library. `false` also if Redis cannot be reached.
    package func has(_ library: RedisLibrary) async -> Bool {
        guard isConnected else { return false }
        do throws(RedisError) {
            _ = try await call(library.probe, keys: [], arguments: [])
            return true
        } catch {
            return false
        }
    }

    /// Whether Redis replies that it does not have the library. `false` also if Redis cannot be reached.
    package func lacks(_ library: RedisLibrary) async -> Bool {
        do throws(RedisError) {
            _ = try await call(library.probe, keys: [], arguments: [])
            return false
        } catch {
            return error.isFunctionMissing
        }
    }
}

extension RedisError {
    /// Whether Redis does not have the function that was called.
    package var isFunctionMissing: Bool { code == .reply && message.hasPrefix("ERR Function not found") }
}
