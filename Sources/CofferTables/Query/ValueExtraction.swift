internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Extracts the bytes of attributes from objects, as stored.
final class ValueExtraction {
  /// Where the values go.
  enum Target {
    /// One value goes to a file or pipe.
    case output(ArchiveOutput)
    /// Each value gets a file, with an extension that suits its content if requested.
    case folder(OutputFolder, recognizing: Bool)
  }

  /// The name of the attribute, with elements of a composite one after dots; nil for all of binary data.
  private let attribute: Name?
  private let target: Target
  /// The written files.
  private(set) var summary = ExtractionSummary()

  init(of attribute: Name?, to target: Target) {
    self.attribute = attribute
    self.target = target
  }

  /// Writes the values of the objects of a query.
  ///
  /// - Returns: the number of objects.
  /// - Throws: errors from reading and writing; ``CofferError``: `no-such-property`; `nothing-chosen`
  ///   and `not-found` if the only value, or its file, does not exist.
  func complete<Source: RowSource>(_ run: BrowserRun<Source>, _ source: Source) throws -> Int {
    let paths = try paths(of: run.query.entityName, in: source)
    var files: [ExternalFileName: SupportFolder.File]?
    let count = try run.forEachRow { object in
      for path in paths[object.id.entityName] ?? [] {
        let place = "\(object.id) has no bytes and no text in \(Self.name(path))"
        switch object.content(of: path) {
        case nil:
          if case .output = target {
            throw CofferError(.nothingChosen, path: source.path, detail: place)
          }
        case .inRow(let column, let start, let isText):
          unsafe try write(object.id, path, isText: isText) { body in
            unsafe try object.read(column, from: start, body)
            return true
          }
        case .inFile(let name):
          let known = try files ?? source.externalFiles()
          files = known
          let isThere = try unsafe write(object.id, path) { body in
            try known[name].map { unsafe try source.read($0, body) } ?? false
          }
          guard !isThere, case .output = target else { continue }
          throw CofferError(
            .notFound, path: source.path,
            detail: "the file \(name.text) of \(object.id) is missing from the support folder")
        }
      }
    }
    try source.requireUnchanged()
    return count
  }

  // MARK: Attributes

  /// The requested attributes, by entity.
  private func paths(
    of entity: Name, in source: some RowSource
  ) throws(CofferError) -> [Name: [[Name]]] {
    let model = source.model
    let names = model.tree(of: entity).map(\.name)
    var paths: [Name: [[Name]]] = [:]
    guard let attribute else {
      for name in names {
        paths[name] = Self.binaryPaths(model.allAttributes(of: name), below: [])
      }
      return paths
    }
    _ = try ShownProperty(attribute, of: entity, in: model, place: source.path)
    let path = Name.path(attribute.text)
    var type: AttributeType?
    for name in names {
      guard let found = model.lineage(of: name).compactMap({ $0.attribute(at: path) }).first else {
        continue
      }
      type = found.type
      if Self.hasBytes(found.type) || found.type == .string || found.type == .uri {
        paths[name] = [path]
      }
    }
    guard !paths.isEmpty else {
      throw CofferError(
        .noSuchProperty, path: source.path,
        detail: "\(attribute) is \(type?.name ?? "a relationship"), which has no bytes to write",
        advice: "Only binary data, transformable values and texts can be written to files.")
    }
    return paths
  }

  private static func binaryPaths(
    _ attributes: [AttributeDescription], below path: [Name]
  ) -> [[Name]] {
    attributes.filter { !$0.isTransient }.flatMap { attribute in
      let path = path + [attribute.name]
      return attribute.isComposite
        ? binaryPaths(attribute.elements, below: path) : hasBytes(attribute.type) ? [path] : []
    }
  }

  private static func hasBytes(_ type: AttributeType) -> Bool {
    type == .binary || type == .transformable
  }

  private static func name(_ path: [Name]) -> String {
    path.joined(separator: ".")
  }

  // MARK: Writing

  /// Writes a value; returns false if it is in a file that is missing.
  @discardableResult private func write(
    _ object: ManagedObjectID, _ path: [Name], isText: Bool = false,
    _ read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Bool
  ) throws -> Bool {
    var byteCount = 0
    let isThere: Bool
    switch target {
    case .output(let output):
      isThere = unsafe try read { bytes in
        try unsafe output.write(bytes)
        byteCount += bytes.count
      }
    case .folder(let folder, let isRecognizing):
      let entity = DataFileNames.component(object.entityName.text)
      let attribute = path.map { DataFileNames.component($0.text) }.joined(separator: ".")
      var file = ExtractedFile(
        folder, "\(entity)-p\(object.primaryKey).\(attribute)",
        ending: !isRecognizing ? "bin" : isText ? "txt" : nil)
      isThere = unsafe try read { bytes in
        try unsafe file.append(bytes)
        byteCount += bytes.count
      }
      if isThere { try file.complete() }
    }
    if isThere {
      summary.valueCount += 1
      summary.byteCount += byteCount
    } else {
      summary.missingFileCount += 1
    }
    return isThere
  }
}
