package org.sparkcollectives.examples
import java.io.PrintWriter
import java.util.concurrent.Callable
import scala.annotation.tailrec
import picocli.CommandLine

/** What the command lines of all examples have in common. */
object ExampleMain {

  /** Runs a command and ends this process with its exit code when that is not 0. */
  def run(command: Callable[Integer], args: Array[String]): Unit = {
    val code = execute(command, args)
    if (code != 0) System.exit(code)
  }

  /**
   * Runs a command; 0 is success, 1 a failure, 2 bad input, each with a message on standard error.
   */
  def execute(command: Callable[Integer], args: Array[String]): Int =
    new CommandLine(command)
      .setExecutionExceptionHandler((failure, line, _) => {
        explain(failure, line.getErr)
      })
      .execute(args: _*)

  private def explain(failure: Throwable, err: PrintWriter): Int = userError(failure) match {
    case Some(error) =>
      err.println(error.getMessage)
      2
    case None =>
      failure.printStackTrace(err)
      1
  }

  @tailrec private def userError(failure: Throwable): Option[UserError] = failure match {
    case null             => None
    case error: UserError => Some(error)
    case other            => userError(other.getCause)
  }
}
