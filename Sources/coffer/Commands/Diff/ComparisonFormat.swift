internal import ArgumentParser

/// The output format of a comparison.
enum ComparisonFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Text.
  case text
  /// Lines of JSON.
  case json
  /// A page.
  case html
}
