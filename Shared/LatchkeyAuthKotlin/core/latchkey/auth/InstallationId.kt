package latchkey.auth

import java.io.File
import java.io.IOException
import latchkey.auth.support.Digests

private const val LENGTH = 43L

/**
 * Returns a random id of this installation of the app, made at the first call; `null` if it can neither be read nor written, since
 * a sign-in must not fail because of it. It says nothing about the hardware.
 *
 * @param folder a folder that is removed with the app, and is in no backup.
 */
public fun installationIdIn(folder: File): String? = try {
    val file = File(folder, "installation-id")
    if (file.length() != LENGTH) {
        folder.mkdirs()
        file.writeText(Digests.token())
    }
    file.readText().takeIf { it.length.toLong() == LENGTH }
} catch (_: IOException) {
    null
}
