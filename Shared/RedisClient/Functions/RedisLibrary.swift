import CryptoPrimitives

/// A library of Lua functions in Redis (`FUNCTION LOAD`), named by its content.
///
/// The account `functions` loads it, and services only call it, so that none needs the right to run arbitrary code with its
/// keys (`EVAL`). The names of library and functions contain the content's hash: during an upgrade the libraries of the old
/// and the new release are both in Redis, and each process calls the one that it was built with.
package struct RedisLibrary: Sendable {
    /// The prefix of all our libraries' names.
    static let prefix = "latchkey"
    private static let hashDigits = 16

    /// A function of a library.
    package struct Function: Sendable {
        let name: String
        /// The function's Lua code with `KEYS` and `ARGV`, as in a script.
        let body: String
        let kind: Kind

        package init(_ name: String, _ body: String, _ kind: Kind = .writes) {
            (self.name, self.body, self.kind) = (name, body, kind)
        }

        /// The effect on the data, which decides whether a full Redis runs the function.
        package enum Kind: String, Sendable {
            /// Writes nothing, and is called with `FCALL_RO`, for which the right to read its keys is enough.
            case reads = "ro"
            /// Writes only what needs no more memory than before: a full Redis runs it.
            case frees
            /// A full Redis refuses it.
            case writes = "rw"

            /// The flags for `redis.register_function`.
            fileprivate var flags: String {
                switch self {
                case .reads: ", flags={'no-writes'}"
                case .frees: ", flags={'allow-oom'}"
                case .writes: ""
                }
            }
        }
    }

    /// The service that uses the library, such as `otp`.
    package let service: String
    /// Lua code that all functions can use.
    private let shared: String
    private let functions: [Function]
    private let hash: String

    package init(_ service: String, shared: String = "", _ functions: [Function]) {
        (self.service, self.shared, self.functions) = (service, shared, functions)
        let parts = [service, shared] + functions.flatMap { [$0.name, $0.kind.rawValue, $0.body] }
        // The length keeps the end of one part from being read as the start of the next.
        let content = parts.map { "\($0.utf8.count):\($0)" }.joined()
        hash = String(Hex.encode(SHA256.hash(Array(content.utf8))).prefix(Self.hashDigits))
    }

    /// The name in Redis.
    package var name: String { "\(Self.prefix)_\(service)_\(hash)" }

    /// Returns a function of the library, for calls.
    ///
    /// - Parameter constants: Arguments that each call appends to its own.
    package func function(_ name: String, constants: [RedisArgument] = []) -> RedisFunction {
        guard let known = functions.first(where: { $0.name == name }) else {
            preconditionFailure("the library \(service) has no function \(name)")
        }
        return RedisFunction(
            name: fullName(name), library: self.name, isReadOnly: known.kind == .reads, constants: constants)
    }

    /// A function that every library has; it does nothing, and exists if the library does.
    var probe: RedisFunction {
        RedisFunction(name: fullName(RedisLibraryListing.probe), library: name, isReadOnly: true, constants: [])
    }

    /// The source for `FUNCTION LOAD`.
    ///
    /// - Parameter time: The time of loading, in Unix seconds; stored in the probe's description.
    package func source(loadedAt time: Int64) -> String {
        let registered = functions.map { function in
            """
            redis.register_function{function_name='\(fullName(function.name))', callback=function(KEYS, ARGV)
            \(function.body)
            end\(function.kind.flags)}

            """
        }
        return """
            #!lua name=\(name)
            \(shared)
            \(registered.joined())
            redis.register_function{function_name='\(probe.name)', callback=function() return 1 end,
              flags={'no-writes'}, description='\(RedisLibraryListing.loadedAt)\(time)'}

            """
    }

    private func fullName(_ function: String) -> String { "\(service)_\(function)_\(hash)" }
}

/// A function of a library, in the form that services call.
package struct RedisFunction: Sendable, Equatable {
    /// The unique name in Redis.
    package let name: String
    /// The library's name in Redis.
    package let library: String
    let isReadOnly: Bool
    let constants: [RedisArgument]

    /// Returns the command that calls it.
    func call(keys: [String], arguments: [RedisArgument]) -> [RedisArgument] {
        var words: [RedisArgument] = []
        words.reserveCapacity(3 + keys.count + arguments.count + constants.count)
        words += [isReadOnly ? "FCALL_RO" : "FCALL", .text(name), RedisArgument(keys.count)]
        words += keys.lazy.map(RedisArgument.text)
        words += arguments
        words += constants
        return words
    }
}
