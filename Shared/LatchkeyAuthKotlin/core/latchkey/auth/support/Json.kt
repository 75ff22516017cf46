package latchkey.auth.support

import java.nio.charset.CharacterCodingException

/**
 * JSON text (RFC 8259) as `null`, `Boolean`, `Long`, `Double`, `String`, `List` and `Map`.
 *
 * By hand: the library has no dependency for it, Android's own classes do not exist elsewhere, and shrinkers need no rules.
 */
internal object Json {
    /** Returns the members of a JSON object, or `null` if the text is anything else. */
    fun members(data: ByteArray): Map<String, Any?>? {
        val value = try {
            JsonReader(data.decodeToString(throwOnInvalidSequence = true)).whole()
        } catch (_: CharacterCodingException) {
            return null
        } catch (_: JsonReader.Invalid) {
            return null
        }
        val members = value as? Map<*, *> ?: return null
        return members.entries.associate { (name, member) -> name.toString() to member }
    }

    /** Returns JSON text with its members in the order of their names, so that equal values have equal bytes. */
    fun encode(value: Any?): ByteArray = StringBuilder().also { write(value, it) }.toString().encodeToByteArray()

    private fun write(value: Any?, out: StringBuilder) {
        when (value) {
            is String -> quote(value, out)
            is Map<*, *> -> {
                val names = value.keys.map { it.toString() }.sorted()
                list(names, '{', '}', out) { name ->
                    quote(name, out)
                    write(value[name], out.append(':'))
                }
            }
            is List<*> -> list(value, '[', ']', out) { write(it, out) }
            else -> out.append(value)
        }
    }

    private fun <T> list(values: List<T>, open: Char, close: Char, out: StringBuilder, each: (T) -> Unit) {
        out.append(open)
        values.forEachIndexed { index, value ->
            if (index > 0) out.append(',')
            each(value)
        }
        out.append(close)
    }

    private fun quote(text: String, out: StringBuilder) {
        out.append('"')
        for (c in text) {
            when {
                c == '"' || c == '\\' -> out.append('\\').append(c)
                c < ' ' -> out.append("\\u").append(c.code.toString(16).padStart(4, '0'))
                else -> out.append(c)
            }
        }
        out.append('"')
    }
}

/** A reader of one JSON text. */
internal class JsonReader(private val text: String) {
    /** The text is not JSON. */
    class Invalid : Exception()

    private var at = 0

    /** Returns the value of the whole text. */
    fun whole(): Any? {
        val value = value(0)
        if (skip() != END || at < text.length) throw Invalid()
        return value
    }

    private fun value(depth: Int): Any? = when (skip()) {
        '{' -> members(deeper(depth))
        '[' -> elements(deeper(depth))
        '"' -> string()
        't' -> word("true", true)
        'f' -> word("false", false)
        'n' -> word("null", null)
        else -> number()
    }

    private fun deeper(depth: Int): Int = if (depth < DEPTH_MAX) depth + 1 else throw Invalid()

    private fun members(depth: Int): Map<String, Any?> {
        val members = LinkedHashMap<String, Any?>()
        at++
        if (accept('}')) return members
        do {
            if (skip() != '"') throw Invalid()
            val name = string()
            if (!accept(':')) throw Invalid()
            members[name] = value(depth)
        } while (accept(','))
        if (!accept('}')) throw Invalid()
        return members
    }

    private fun elements(depth: Int): List<Any?> {
        val elements = ArrayList<Any?>()
        at++
        if (accept(']')) return elements
        do elements.add(value(depth)) while (accept(','))
        if (!accept(']')) throw Invalid()
        return elements
    }

    private fun string(): String {
        val out = StringBuilder()
        at++
        while (true) {
            val c = peek()
            at++
            when {
                c == '"' -> return out.toString()
                c == '\\' -> out.append(escape())
                c < ' ' -> throw Invalid()
                else -> out.append(c)
            }
        }
    }

    private fun escape(): Char {
        val c = peek()
        at++
        return when (c) {
            '"', '\\', '/' -> c
            'b' -> '\b'
            'f' -> '\u000c'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> {
                val digits = text.substring(minOf(at, text.length), minOf(at + 4, text.length))
                if (digits.length < 4 || digits.any { it !in HEX }) throw Invalid()
                at += 4
                digits.toInt(16).toChar()
            }
            else -> throw Invalid()
        }
    }

    /** Reads a number: whole ones that fit as `Long`, others as `Double`. */
    private fun number(): Any {
        val start = at
        while (peek() in NUMBER) at++
        val digits = text.substring(start, at)
        if (!isNumber(digits)) throw Invalid()
        digits.toLongOrNull()?.let { return it }
        val number = digits.toDouble()
        return if (number % 1.0 == 0.0 && number in -WHOLE_MAX..WHOLE_MAX) number.toLong() else number
    }

    private fun isNumber(digits: String): Boolean {
        val unsigned = digits.removePrefix("-")
        val whole = unsigned.takeWhile { it in '0'..'9' }
        val rest = unsigned.drop(whole.length)
        if (whole.isEmpty() || whole.length > 1 && whole[0] == '0') return false
        return rest.isEmpty() || FRACTION.matches(rest)
    }

    private fun word(word: String, value: Any?): Any? {
        if (!text.startsWith(word, at)) throw Invalid()
        at += word.length
        return value
    }

    private fun accept(c: Char): Boolean {
        if (skip() != c) return false
        at++
        return true
    }

    /** Skips white space, and returns the next character without reading it. */
    private fun skip(): Char {
        while (peek() in SPACE) at++
        return peek()
    }

    private fun peek(): Char = if (at < text.length) text[at] else END

    private companion object {
        /** The end of the text. As a control character it is no part of any value. */
        const val END = '\u0000'
        const val DEPTH_MAX = 64
        const val WHOLE_MAX = 9_007_199_254_740_992.0
        const val SPACE = " \t\r\n"
        const val HEX = "0123456789abcdefABCDEF"
        const val NUMBER = "+-.eE0123456789"
        val FRACTION = Regex("""(\.[0-9]+)?([eE][+-]?[0-9]+)?""")
    }
}
