package latchkey.auth

import java.io.File
import java.io.FileNotFoundException
import java.io.IOException
import java.io.RandomAccessFile
import java.nio.channels.FileLock
import latchkey.auth.support.Percent

/**
 * A session in a file that only this user can read: mode 0600 in a folder of mode 0700.
 *
 * Processes that compare and write wait for each other by a file lock, which is held for milliseconds and never over a
 * request. A write is complete or absent after any crash. If a loss of power brings an older item back, its renewal is a
 * repeat, which the server answers with the same successor.
 *
 * @param profile the name of the user's session.
 * @param folder a folder for sessions. Keep it out of backups.
 * @param seal encrypts the item.
 */
public class FileStore @JvmOverloads constructor(
    private val folder: File, profile: String = "default", private val seal: Seal = NoSeal,
) : SessionStore {
    private val name = Percent.encode(profile)
    private val file = File(folder, "$name.latchkey")

    /** Called before each step of a write, so that tests can end the process there. */
    internal var onStep: (String) -> Unit = {}

    override fun load(): ByteArray? {
        if (!seal.isReadable) throw StoreFailure(StoreTrouble.ProtectedData)
        return failing(StoreTrouble.Unreadable) { bytes()?.let { sealed -> seal.open(sealed) { bytes() } } }
    }

    override fun keepNewer(data: ByteArray, version: StoreVersion): ByteArray? = locked {
        val stored = load()
        val present = stored?.let { StoreVersion.of(it) }
        if (present != null && present >= version) return@locked stored
        onStep("seal")
        replace(seal.seal(data, isFirst = stored == null))
        null
    }

    private fun bytes(): ByteArray? = try {
        RandomAccessFile(file, "r").use { opened ->
            ByteArray(minOf(opened.length(), BYTES_MAX).toInt()).also { opened.readFully(it) }
        }
    } catch (failure: FileNotFoundException) {
        // It also means that access was refused.
        if (file.exists()) throw failure
        null
    }

    /** Writes a new file next to the old one, sees that it is on the disk, and puts it in the old one's place. */
    private fun replace(data: ByteArray) {
        val new = File(folder, "$name.new")
        onStep("create")
        RandomAccessFile(new, "rw").use { opened ->
            keepPrivate(new, isFolder = false)
            opened.setLength(0)
            onStep("write")
            opened.write(data)
            onStep("synchronize")
            opened.fd.sync()
        }
        onStep("rename")
        if (!new.renameTo(file)) throw StoreFailure(StoreTrouble.Unwritable)
        onStep("done")
    }

    /** Runs a step that no other thread or process may run at the same time. */
    private fun <T> locked(body: () -> T): T = synchronized(threads) {
        failing(StoreTrouble.Unwritable) {
            if (!folder.isDirectory && !folder.mkdirs() && !folder.isDirectory) throw StoreFailure(StoreTrouble.Unwritable)
            keepPrivate(folder, isFolder = true)
            RandomAccessFile(File(folder, "$name.lock"), "rw").use { lock(it).use { body() } }
        }
    }

    private fun lock(opened: RandomAccessFile): FileLock {
        repeat(LOCK_ATTEMPTS) {
            opened.channel.tryLock()?.let { return it }
            Thread.sleep(LOCK_PAUSE)
        }
        throw StoreFailure(StoreTrouble.Unwritable)
    }

    private fun <T> failing(trouble: StoreTrouble, body: () -> T): T = try {
        body()
    } catch (failure: IOException) {
        throw failure as? StoreFailure ?: StoreFailure(trouble, failure)
    } catch (failure: InterruptedException) {
        Thread.currentThread().interrupt()
        throw StoreFailure(trouble, failure)
    }

    private companion object {
        /** A file lock belongs to a process, so threads have a lock of their own. */
        val threads = Any()
        const val BYTES_MAX = 1L shl 16

        /** The longest wait for another process's write is a second. */
        const val LOCK_ATTEMPTS = 200
        const val LOCK_PAUSE = 5L

        fun keepPrivate(file: File, isFolder: Boolean) {
            file.setReadable(false, false)
            file.setWritable(false, false)
            file.setExecutable(false, false)
            file.setReadable(true, true)
            file.setWritable(true, true)
            if (isFolder) file.setExecutable(true, true)
        }
    }
}

/** The encryption of a [FileStore]'s item. */
public interface Seal {
    /** Whether files can be read at present. If not, nothing is known about the session. */
    public val isReadable: Boolean

    /**
     * Encrypts an item. Throws [StoreFailure] if that is not possible at present.
     *
     * @param isFirst whether there is no item yet.
     */
    @Throws(IOException::class)
    public fun seal(data: ByteArray, isFirst: Boolean): ByteArray

    /**
     * Decrypts an item. Throws [StoreFailure] if that is not possible at present.
     *
     * @param again reads the file again, for a second attempt.
     * @return an empty array if the item is surely lost.
     */
    @Throws(IOException::class)
    public fun open(sealed: ByteArray, again: () -> ByteArray?): ByteArray?
}

/** No encryption: the file's mode protects the item. */
public object NoSeal : Seal {
    override val isReadable: Boolean get() = true

    override fun seal(data: ByteArray, isFirst: Boolean): ByteArray = data

    override fun open(sealed: ByteArray, again: () -> ByteArray?): ByteArray = sealed
}
