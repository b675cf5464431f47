package org.sparkcollectives.examples

/** An error of the input that its message explains completely: problem, cause, remedy. */
final class UserError(message: String) extends RuntimeException(message)
