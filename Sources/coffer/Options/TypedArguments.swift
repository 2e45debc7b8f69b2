public import ArgumentParser
public import CoreDataModel

/// A name as the command line has it, byte for byte.
extension Name: ExpressibleByArgument {
  /// Takes the argument unchanged.
  public init?(argument: String) { self.init(argument) }
}

extension Instant {
  /// Reads a time on the command line; missing parts mean the beginning.
  ///
  /// - Throws: `ValidationError` with a hint.
  init(argument text: String) throws {
    do {
      self = try Instant(startOf: text)
    } catch {
      let hint = error.hint.map { " \($0)" } ?? ""
      throw ValidationError("Invalid value '\(text)': \(error.detail).\(hint)")
    }
  }
}
