/// The keys of a line that are not names of properties.
package enum LineKey {
  /// The name as a key: a name that begins with `$` gets a second one, so that it cannot be taken
  /// for one of the keys here.
  package static func escaped(_ name: String) -> String {
    name.hasPrefix("$") ? "$" + name : name
  }

  /// The name behind a key that ``escaped(_:)`` made, or nil for one of the keys here.
  package static func name(of key: String) -> String? {
    guard key.hasPrefix("$") else { return key }
    return key.hasPrefix("$$") ? String(key.dropFirst()) : nil
  }
}
