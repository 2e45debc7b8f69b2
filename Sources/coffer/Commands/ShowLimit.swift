internal import ArgumentParser

/// What `--limit` says to a command that shows objects: how many, or a limit of archives.
enum ShowLimit {
  case objects(Int)
  case archive(LimitArgument)

  init(_ text: String) throws {
    if text.contains("=") {
      self = .archive(try LimitArgument(text))
    } else if let count = Int(text), count >= 0 {
      self = .objects(count)
    } else {
      throw ValidationError("The limit '\(text)' is neither a number nor NAME=VALUE.")
    }
  }

  /// How many objects are shown; nil where it says something else.
  var count: Int? { if case .objects(let count) = self { count } else { nil } }

  /// The limit of archives; nil where it says something else.
  var archiveLimit: LimitArgument? { if case .archive(let limit) = self { limit } else { nil } }
}
