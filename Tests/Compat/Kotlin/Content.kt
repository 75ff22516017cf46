// What the documents use of Android.
package android.content

open class Context

interface SharedPreferences {
    fun getString(key: String, otherwise: String?): String?
    fun edit(): Editor

    interface Editor {
        fun putString(key: String, value: String?): Editor
        fun clear(): Editor
        fun apply()
    }
}
