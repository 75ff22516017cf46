/// The names that a folder's sources declare.
struct Declarations: Equatable {
    /// The names of static constants, and of those outside of all types.
    var constants: Set<String> = []
    /// The signatures of functions: each with its name, and the labels and types of its parameters.
    var functions: Set<String> = []

    init(of text: String) {
        constants = Set(
            SourceFolder.matches(#"(?m)(?:\bstatic|^(?:(?:package|private|fileprivate) )?)\s?let (\w+)"#, in: text))
        for part in text.matches(of: /\bfunc (\w+)\s*(?:<[^(]*>)?\(/) {
            functions.insert("\(part.output.1)(\(Self.parameters(text[part.range.upperBound...])))")
        }
    }

    /// Returns the labels and types of the parameters up to the parenthesis that ends them, without spaces.
    private static func parameters(_ text: Substring) -> String {
        var (parameters, depth) = ([""], 0)
        for letter in text {
            if ")]".contains(letter) { depth -= 1 }
            if depth < 0 { break }
            if "([".contains(letter) { depth += 1 }
            if letter == ",", depth == 0 {
                parameters.append("")
            } else {
                parameters[parameters.count - 1].append(letter)
            }
        }
        return parameters.compactMap { parameter in
            guard let colon = parameter.firstIndex(of: ":"),
                let label = parameter[..<colon].split(whereSeparator: \.isWhitespace).first
            else { return nil }
            let type = parameter[colon...].prefix { $0 != "=" }.filter { !$0.isWhitespace }
            return label + type
        }.joined(separator: ",")
    }
}

extension SourceFolder {
    var declarations: Declarations { Declarations(of: files.map(\.text).joined(separator: "\n")) }

    /// The signatures of the functions that its protocols require.
    var requirements: Set<String> {
        let protocols = files.flatMap { Self.matches(#"(?m)^(?:\w+ )?protocol \w+[^{]*\{([\s\S]*?)^\}"#, in: $0.text) }
        return Declarations(of: protocols.joined(separator: "\n")).functions
    }
}
