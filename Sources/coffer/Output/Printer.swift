/// Something that a command has to say, as text for people and as JSON for programs.
///
/// A message is a value and stands beside the command that makes it. Its text goes to the answer, but
/// for what is wrong: that is told on standard error.
protocol Message {
  /// Writes the lines for people.
  func write(to printer: TextPrinter) throws
  /// Writes the lines of JSON.
  func write(to printer: JSONPrinter) throws
}

/// Prints messages in the one form that was asked for.
enum Printer {
  case text(TextPrinter)
  case json(JSONPrinter)

  /// Creates a printer.
  ///
  /// - Parameters:
  ///   - options: what decides the form and the looks.
  ///   - command: the name of the command, for the summary of JSON.
  ///   - stream: where the answer goes.
  init(_ options: OutputOptions, command: String, answer stream: StandardStream) {
    self =
      options.json
      ? .json(JSONPrinter(command, answer: stream)) : .text(TextPrinter(options, answer: stream))
  }

  /// Prints a message.
  func print(_ message: some Message) throws {
    switch self {
    case .text(let printer): try message.write(to: printer)
    case .json(let printer): try message.write(to: printer)
    }
  }

  /// Prints what the work goes on in spite of.
  func warn(_ code: String, _ message: String) throws {
    switch self {
    case .text(let printer): try printer.warn(message)
    case .json(let printer): try printer.warn(code, message)
    }
  }

  /// Prints why there is no answer.
  func fail(_ failure: Failure) {
    guard !failure.isSilent else { return }
    switch self {
    case .text(let printer): printer.fail(failure)
    case .json: JSONPrinter.fail(failure)
    }
  }

  /// Writes what has not been written yet.
  func finish() throws {
    switch self {
    case .text(let printer): try printer.finish()
    case .json(let printer): try printer.finish()
    }
  }
}
