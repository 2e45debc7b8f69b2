/// A message of a command, as text for people and as JSON for programs.
///
/// A message is a value and is defined next to its command. Its text goes to the answer, except
/// problems, which go to standard error.
protocol Message {
  /// Writes the lines for people.
  func write(to printer: TextPrinter) throws
  func write(to printer: JSONPrinter) throws
}

/// The message that ends a command.
protocol ResultMessage: Message {
  var status: ExitStatus { get }
}

/// Prints messages in the selected form.
enum Printer {
  case text(TextPrinter)
  case json(JSONPrinter)

  init(_ options: OutputOptions, command: String, answer stream: StandardStream) {
    self =
      options.json
      ? .json(JSONPrinter(command, answer: stream)) : .text(TextPrinter(options, answer: stream))
  }

  func print(_ message: some Message) throws {
    switch self {
    case .text(let printer): try message.write(to: printer)
    case .json(let printer): try message.write(to: printer)
    }
  }

  func warn(_ code: String, _ message: String) throws {
    switch self {
    case .text(let printer): try printer.warn(message)
    case .json(let printer): try printer.warn(code, message)
    }
  }

  func fail(_ failure: Failure) {
    guard !failure.isSilent else { return }
    switch self {
    case .text(let printer): printer.fail(failure)
    case .json: JSONPrinter.fail(failure)
    }
  }

  /// Writes everything not yet written.
  func finish() throws {
    switch self {
    case .text(let printer): try printer.finish()
    case .json(let printer): try printer.finish()
    }
  }
}
