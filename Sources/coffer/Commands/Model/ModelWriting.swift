internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// Writes a model in one format, to standard output or to a file.
struct ModelWriting {
  let loaded: LoadedModel
  let path: String
  let format: ModelFormat

  private var model: ManagedObjectModel { loaded.model }

  /// Writes the model.
  func perform(_ session: Session, target: String?, isOverwriting: Bool) throws {
    if format == .text, target == nil {
      return try session.printer.print(ModelMessage(model: model, path: path))
    }
    let source = format == .xcdatamodel ? try SourceModel(model) : nil
    let code = try format.language.map { language throws(CofferError) in
      try ModelCode(model, in: language)
    }
    let bytes = try source?.contents ?? code.map { Array($0.text.utf8) } ?? bytes()
    if let target {
      if let source {
        try ModelOutput.write(source, to: target, overwriting: isOverwriting)
      } else {
        try ModelOutput.write(bytes, to: target, overwriting: isOverwriting)
      }
    }
    try tell(source, session)
    for omission in code?.omissions ?? [] {
      let place = omission.place.map { "\($0): " } ?? ""
      try session.printer.warn("not-in-source", "\(place)\(omission.detail) is left out")
    }
    if let target {
      try session.printer.print(WrittenModelMessage(model: model, format: format, path: target))
    } else {
      try StandardStream.output.write(bytes)
    }
  }

  /// Warns about parts that a source cannot express, unless the framework restores them when it loads the source.
  private func tell(_ source: SourceModel?, _ session: Session) throws {
    for departure in source?.departures ?? [] where departure.isLoss {
      let place = [departure.entityName, departure.propertyName].compactMap { $0 }
        .joined(separator: ".")
      let text = place.isEmpty ? departure.sentence : "\(place): \(departure.sentence)"
      try session.printer.warn("not-in-source", text)
    }
  }

  private func bytes() throws -> [UInt8] {
    switch format {
    case .text: return Array(ModelText(model).text.utf8)
    case .json: return ModelDocument.encode(model, versionHashes: loaded.versionHashes).bytes()
    case .xcdatamodel, .swiftdata, .swift, .objc: return []
    case .mermaid: return Array(ModelDiagram(model).mermaid.utf8)
    case .dot: return Array(ModelDiagram(model).dot.utf8)
    case .svg:
      let diagram = ModelDiagram(model)
      guard diagram.isDrawable else {
        let entities = QuantityText.count(model.entities.count, "entity", "entities")
        let relationships = QuantityText.count(
          model.entities.reduce(0) { $0 + $1.relationships.count }, "relationship")
        throw CofferError(
          .refused, path: path, detail: "\(entities) with \(relationships) are too many to draw",
          advice: "Use --format dot and Graphviz.")
      }
      return Array(diagram.svg(title: title).utf8)
    }
  }

  /// The name of the file without its extension.
  private var title: String {
    let name = path.split(separator: "/").last ?? Substring(path)
    let base = name.split(separator: ".", omittingEmptySubsequences: false).first ?? name
    return String(base.isEmpty ? name : base)
  }
}

enum ModelFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text
  /// One JSON document: the model as in an archive.
  case json
  case xcdatamodel
  /// `@Model` classes of SwiftData.
  case swiftdata
  /// Subclasses of `NSManagedObject` in Swift.
  case swift
  /// Subclasses of `NSManagedObject` in Objective-C.
  case objc
  case mermaid
  /// A diagram in Graphviz's DOT language.
  case dot
  case svg

  /// The language of a code format; nil for other formats.
  var language: ModelCode.Language? {
    switch self {
    case .swiftdata: .swiftData
    case .swift: .swift
    case .objc: .objectiveC
    default: nil
    }
  }

  var words: String {
    switch self {
    case .text: "text"
    case .json: "JSON"
    case .xcdatamodel: "source"
    case .swiftdata, .swift, .objc: "classes"
    case .mermaid, .dot: "diagram"
    case .svg: "drawing"
    }
  }
}

struct ModelMessage: Message {
  var model: ManagedObjectModel
  /// The source of the model, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    for (index, block) in ModelText(model).blocks.enumerated() {
      if index > 0 { try printer.line("") }
      try printer.line(printer.style.bold(Terminal.printable(block.title)))
      for text in block.lines { try printer.line(Terminal.printable(text)) }
    }
  }

  func write(to printer: JSONPrinter) throws {
    for entity in model.entities {
      guard case .object(let object) = ModelDocument.encode(entity) else { continue }
      try printer.line(["type": "entity"] + JSONMembers(object))
    }
    try printer.summary(.done, model.summaryMembers(path))
  }
}

/// The result of writing a model to a file.
struct WrittenModelMessage: Message {
  var model: ManagedObjectModel
  var format: ModelFormat
  /// The path of the file, as given.
  var path: String

  func write(to printer: TextPrinter) throws {
    let entities = QuantityText.count(model.entities.count, "entity", "entities")
    try printer.line("Wrote \(Terminal.printable(path)): \(format.words) of \(entities)")
  }

  func write(to printer: JSONPrinter) throws {
    var members = model.summaryMembers(path)
    members.append("format", format.rawValue)
    try printer.summary(.done, members)
  }
}

extension ManagedObjectModel {
  /// The common members of summaries about a model.
  fileprivate func summaryMembers(_ path: String) -> JSONMembers {
    [
      "path": path, "entities": entities.count,
      "attributes": entities.reduce(0) { $0 + $1.attributes.count },
      "relationships": entities.reduce(0) { $0 + $1.relationships.count },
      "versionIdentifiers": versionIdentifiers,
    ]
  }
}
