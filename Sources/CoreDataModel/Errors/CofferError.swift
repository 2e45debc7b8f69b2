/// The reason why the library could not do its work: what happened, where, why, and what to do next.
///
/// ```swift
/// do {
///   try await StoreExporter().export(storeAt: "Trips.sqlite", to: "Trips.coffer.tar.gz")
/// } catch let error as CofferError where error.code == .storeBusy {
///   print(error, error.hint ?? "")
/// }
/// ```
///
/// Every error of the library is of this type; its texts hold no value of the user's data. What is wrong
/// in the data is not an error but a finding.
public struct CofferError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of error.
  public var code: Code
  /// Where it happened.
  public var place: Place
  /// Why, in one sentence; empty when the code says it all.
  public var detail: String
  /// The next steps, the first one first; empty when none is known.
  package var advice: [Advice]
  /// Data for the caller besides the texts; each kind has a property with its own type.
  package var evidence: (any Sendable & Equatable)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: what happened.
  ///   - path: the file, or a name for a stream; empty if there is none.
  ///   - item: the subject within the file, such as `Person.name`; nil for the file itself.
  ///   - entry: the entry of the archive, or nil.
  ///   - offset: the byte in the file, or nil.
  ///   - detail: why, in one sentence.
  ///   - advice: the next step, or nil.
  ///   - evidence: data for the caller.
  package init(
    _ code: Code, path: String = "", item: String? = nil, entry: String? = nil, offset: Int? = nil,
    detail: String = "", advice: Advice? = nil, evidence: (any Sendable & Equatable)? = nil
  ) {
    self.code = code
    place = Place(path: path, item: item, entry: entry, offset: offset)
    self.detail = detail
    self.advice = advice.map { [$0] } ?? []
    self.evidence = evidence
  }

  /// The error as `where: what: why`.
  public var description: String {
    [place.description, code.title, detail].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// The next steps in the words of the library, or nil when none is known.
  public var hint: String? {
    advice.isEmpty ? nil : advice.map(\.description).joined(separator: " ")
  }

  /// Whether all parts are equal, the evidence included.
  public static func == (one: CofferError, other: CofferError) -> Bool {
    func areEqual<Value: Equatable>(_ one: Value, _ other: Any?) -> Bool { one == other as? Value }
    return one.code == other.code && one.place == other.place && one.detail == other.detail
      && one.advice == other.advice
      && (one.evidence.map { areEqual($0, other.evidence) } ?? (other.evidence == nil))
  }
}

extension CofferError {
  /// The place of an error, as far as it is known.
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

  /// The same error with a more precise place: `Person` before `name` makes `Person.name`.
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
