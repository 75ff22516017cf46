extension String {
    /// The text, safe in HTML's text and in quoted attributes.
    package var escapedForHTML: String {
        var text = ""
        // Scalar by scalar: a quote with a combining mark is one character that equals no quote, but HTML ends the attribute there.
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
