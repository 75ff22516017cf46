import CryptoPrimitives

/// A library of Lua functions that Redis keeps (`FUNCTION LOAD`), named by its content.
///
/// The account `functions` loads it, and services only call it, so that none needs the right to run a source with its keys
/// (`EVAL`). Library and functions have the content's hash in their names: during an upgrade the libraries of the old and of the
/// new release are in Redis side by side, and each process calls those that it was built with.
package struct RedisLibrary: Sendable {
    /// What all our libraries' names begin with.
    static let prefix = "latchkey"
    private static let hashDigits = 16

    /// A function of a library.
    package struct Function: Sendable {
        let name: String
        /// Lua with `KEYS` and `ARGV`, as in a script.
        let body: String
        let kind: Kind

        package init(_ name: String, _ body: String, _ kind: Kind = .writes) {
            (self.name, self.body, self.kind) = (name, body, kind)
        }

        /// The effect on the data, which decides whether a full Redis runs the function.
        package enum Kind: String, Sendable {
            /// Writes nothing, and is called with `FCALL_RO`, for which the right to read its keys is enough.
            case reads = "ro"
            /// Writes what takes no more memory than before: a full Redis runs it.
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

    /// The service whose library it is, such as `otp`.
    package let service: String
    /// Lua that all functions see.
    private let shared: String
    private let functions: [Function]
    private let hash: String

    package init(_ service: String, shared: String = "", _ functions: [Function]) {
        (self.service, self.shared, self.functions) = (service, shared, functions)
        let parts = [service, shared] + functions.flatMap { [$0.name, $0.kind.rawValue, $0.body] }
        // The length keeps the end of one part from being read as the begin of the next.
        let content = parts.map { "\($0.utf8.count):\($0)" }.joined()
        hash = String(Hex.encode(SHA256.hash(Array(content.utf8))).prefix(Self.hashDigits))
    }

    /// The name in Redis.
    package var name: String { "\(Self.prefix)_\(service)_\(hash)" }

    /// A function of the library, to call it.
    ///
    /// - Parameter constants: arguments that each call passes after its own.
    package func function(_ name: String, constants: [RedisArgument] = []) -> RedisFunction {
        guard let known = functions.first(where: { $0.name == name }) else {
            preconditionFailure("the library \(service) has no function \(name)")
        }
        return RedisFunction(
            name: fullName(name), library: self.name, isReadOnly: known.kind == .reads, constants: constants)
    }

    /// A function that every library has: it does nothing, and is there when the library is.
    var probe: RedisFunction {
        RedisFunction(name: fullName(RedisLibraryListing.probe), library: name, isReadOnly: true, constants: [])
    }

    /// The source for `FUNCTION LOAD`.
    ///
    /// - Parameter time: of loading, in Unix seconds; the probe's description keeps it.
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

/// A function of a library, as a service calls it.
package struct RedisFunction: Sendable, Equatable {
    /// The name in Redis, where no two functions have the same.
    package let name: String
    /// The library's name in Redis.
    package let library: String
    let isReadOnly: Bool
    let constants: [RedisArgument]

    /// The command that calls it.
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
