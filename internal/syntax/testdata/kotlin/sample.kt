package orders

import java.io.File
import kotlin.math.max

const val LIMIT = 0x10

data class Line(val name: String, var price: Double = 0.0)

sealed interface Result<out T> {
    data class Ok<T>(val value: T) : Result<T>
    object Failed : Result<Nothing>
}

enum class Kind { FEW, MANY }

@Suppress("unused")
class Order(private val lines: MutableList<Line> = mutableListOf()) : AutoCloseable {
    val total: Double
        get() = lines.sumOf { it.price }

    fun add(line: Line?) {
        val known = line ?: return
        if (known.price > 0 && known.name !in listOf("a", "b")) {
            lines += known
        } else {
            println("no ${known.name} at $LIMIT")
        }
    }

    suspend fun save(path: String): Kind = File(path).bufferedWriter().use { out ->
        for (l in lines) {
            out.write("""raw "${l.name}"""")
        }
        when (lines.size) {
            in 0..9 -> Kind.FEW
            else -> Kind.MANY
        }
    }

    override fun close() {
        try {
            lines.clear()
        } catch (e: UnsupportedOperationException) {
            throw IllegalStateException(e)
        }
    }

    companion object {
        @JvmStatic
        fun largest(a: Int, b: Int) = max(a, b)!!
    }
}
