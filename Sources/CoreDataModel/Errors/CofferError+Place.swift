extension CofferError {
  /// Where an error happened, as far as that is known.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file or folder, or a name such as `standard input`; empty if there is none.
    public var path: String
    /// The subject within the file: an entity, a property or a statement of the schema.
    public var item: String?
    /// The name of the archive's entry.
    public var entry: String?
    /// The offset in the file of the bytes in question.
    public var offset: Int?

    /// The parts that are known, as `Trips.coffer.tar.gz, entry index.json, byte 512`; control
    /// characters are replaced.
    public var description: String {
      var parts = path.isEmpty ? [] : [path]
      if let item { parts.append(item) }
      if let entry { parts.append("entry \(entry)") }
      if let offset { parts.append("byte \(offset)") }
      let text = parts.joined(separator: ", ").unicodeScalars
      return String(
        String.UnicodeScalarView(text.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
  }

  /// The error about something within what it was about: `Person` before `name` makes `Person.name`.
  package func within(_ name: String) -> CofferError {
    var error = self
    error.place.item = place.item.map { "\(name).\($0)" } ?? name
    return error
  }

  /// The error with the path of its file, which was unknown where it occurred.
  package func located(at path: String, offset: Int? = nil) -> CofferError {
    var error = self
    error.place.path = path
    error.place.offset = offset ?? place.offset
    return error
  }
}
