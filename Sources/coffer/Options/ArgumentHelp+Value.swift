internal import ArgumentParser

extension ArgumentHelp {
  /// The help of an argument or an option with a value, and the name of that value.
  static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
    ArgumentHelp(abstract, valueName: name)
  }
}
