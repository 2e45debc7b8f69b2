internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// Shows a model in one format, on standard output or in a file.
struct ModelWriting {
  let loaded: LoadedModel
  /// Where the model comes from.
  let path: String
  let format: ModelFormat

  private var model: ManagedObjectModel { loaded.model }

  /// Does it.
  ///
  /// - Throws: what the library throws; ``CofferError`` for a model that is too large to be drawn.
  func perform(_ session: Session, target: String?, isOverwriting: Bool) throws {
    if format == .text, target == nil { return try session.report.shown(model, of: path) }
    let source = format == .xcdatamodel ? try SourceModel(model) : nil
    let bytes = try source?.contents ?? bytes()
    if let target {
      try InputFile.refuse(replacing: path, with: target)
      if let source {
        try ModelOutput.write(source, to: target, overwriting: isOverwriting)
      } else {
        try ModelOutput.write(bytes, to: target, overwriting: isOverwriting)
      }
    }
    try tell(source, session)
    if let target {
      try session.report.wrote(model, as: format, to: target)
    } else {
      try StandardStream.output.write(bytes)
    }
  }

  /// Tells of what is lost in a source; what comes back when the framework loads it is no loss.
  private func tell(_ source: SourceModel?, _ session: Session) throws {
    for departure in source?.departures ?? [] where departure.isLoss {
      let place = [departure.entityName, departure.propertyName].compactMap { $0 }
        .joined(separator: ".")
      let text = place.isEmpty ? departure.sentence : "\(place): \(departure.sentence)"
      try session.report.warned("not-in-source", text)
    }
  }

  private func bytes() throws -> [UInt8] {
    switch format {
    case .text: return Array(ModelText(model).text.utf8)
    case .json: return ModelDocument.encode(model, versionHashes: loaded.versionHashes).bytes()
    case .xcdatamodel: return try SourceModel(model).contents
    case .mermaid: return Array(ModelDiagram(model).mermaid.utf8)
    case .dot: return Array(ModelDiagram(model).dot.utf8)
    case .svg:
      let diagram = ModelDiagram(model)
      guard diagram.isDrawable else {
        let entities = QuantityText.count(model.entities.count, "entity", "entities")
        let relationships = QuantityText.count(
          model.entities.reduce(0) { $0 + $1.relationships.count }, "relationship")
        throw CofferError(
          .refused, path: path, detail: "\(entities) with \(relationships) are too much to draw",
          advice: "Use --format dot, and Graphviz.")
      }
      return Array(diagram.svg(title: title).utf8)
    }
  }

  /// The name of the file without what it ends with.
  private var title: String {
    let name = path.split(separator: "/").last ?? Substring(path)
    let base = name.split(separator: ".", omittingEmptySubsequences: false).first ?? name
    return String(base.isEmpty ? name : base)
  }
}
