internal import ArgumentParser
internal import Foundation

/// When to show output that is only for people.
enum Visibility: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// The options of every command.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the answer as JSON, one object per line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only problems.")
  var quiet = false

  @Option(help: .value("when", "Show progress on standard error."))
  var progress = Visibility.auto

  @Option(help: .value("when", "Use colors; NO_COLOR turns them off."))
  var color = Visibility.auto

  /// The form of the progress; nil if it is not shown.
  var progressForm: ProgressLine.Form? {
    switch progress {
    case .always: Self.canAnimate(.error) ? .line : json ? .json : .text
    case .never: nil
    case .auto: !quiet && Self.canAnimate(.error) ? .line : nil
    }
  }

  func style(on stream: StandardStream) -> Style {
    switch color {
    case .always: Style(isColored: true)
    case .never: Style(isColored: false)
    case .auto:
      Style(
        isColored: Self.canAnimate(stream)
          && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty)
    }
  }

  private static func canAnimate(_ stream: StandardStream) -> Bool {
    stream.isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }
}
