/// The keys of a line that are not names of properties.
package enum LineKey {
  /// The name as a key: if a name begins with `$`, another `$` is put before it, to distinguish it
  /// from the keys here.
  package static func escaped(_ name: String) -> String {
    name.hasPrefix("$") ? "$" + name : name
  }

  /// The name of a key from ``escaped(_:)``, or nil for one of the keys here.
  package static func name(of key: String) -> String? {
    guard key.hasPrefix("$") else { return key }
    return key.hasPrefix("$$") ? String(key.dropFirst()) : nil
  }
}
