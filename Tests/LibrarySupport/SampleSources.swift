package import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
package import StoreGenerator
package import TestSupport

/// The sample store in a separate folder, with copies that were changed, archives and copies that
/// were restored.
package struct SampleSources {
  package let directory: TemporaryDirectory
  /// The path of the sample store.
  package let sample: String

  package init(in directory: TemporaryDirectory? = nil) throws {
    self.directory = try directory ?? TemporaryDirectory()
    sample = self.directory.file("Sample.sqlite")
    try SampleStore.write(to: sample)
  }

  /// A copy of a store, changed by statements and then by a closure that is given its files.
  package func copy(
    of store: String? = nil, named name: String = "Changed", changing statements: [String] = [],
    files change: (StoreFiles) throws -> Void = { _ in }
  ) throws -> String {
    let path = try StoreFiles(store ?? sample).copy(to: directory.file("\(name).sqlite"))
    if !statements.isEmpty {
      let database = try GeneratorDatabase(path: path)
      try database.registerCoreDataFunctions()
      for statement in statements { try database.run(statement) }
    }
    try change(StoreFiles(path))
    return path
  }

  /// Existing archives, by the paths of their stores.
  package var archives: [String: String] = [:]

  /// An archive of a store.
  package func archive(of store: String) throws -> String {
    if let archive = archives[store] { return archive }
    let path = store + ".coffer.tar.gz"
    try StoreExporter(options: ExportOptions(level: 1)).export(
      PersistentStore(readingFrom: store), to: .file(path, overwriting: true))
    return path
  }

  /// A store restored from an archive.
  package func restored(_ archive: String, named name: String = "Restored") throws -> String {
    let path = directory.file("\(name).sqlite")
    try StoreImporter().import(archive, to: path)
    return path
  }
}

/// The sources, of two, that are archives.
package enum Form: String, CaseIterable, Sendable {
  case stores, storeAndArchive, archiveAndStore, archives

  /// The two stores in this form.
  package func sources(
    _ first: String, _ second: String, _ samples: SampleSources
  ) throws -> (String, String) {
    switch self {
    case .stores: (first, second)
    case .storeAndArchive: (first, try samples.archive(of: second))
    case .archiveAndStore: (try samples.archive(of: first), second)
    case .archives: (try samples.archive(of: first), try samples.archive(of: second))
    }
  }
}

/// The differences of two sources as short texts, and the summary.
package func differences(
  _ first: String, _ second: String, values: Bool = false, matchesByObjectID: Bool = false
) throws -> (texts: [String], summary: ComparisonSummary) {
  var texts: [String] = []
  var options = ComparisonOptions(includesValues: values)
  options.matchesByObjectID = matchesByObjectID
  let summary = try StoreComparison(options: options).compare(first, second) {
    texts.append($0.text)
  }
  return (texts, summary)
}

extension Difference {
  /// The difference in a few words.
  package var text: String {
    switch self {
    case .store(let difference):
      Self.join(
        [difference.kind.rawValue, difference.subject.rawValue, difference.name],
        difference.oldValue, difference.newValue)
    case .object(let difference):
      ([difference.kind.rawValue, difference.objectID.description]
        + difference.properties.map { property in
          Self.join(
            [property.subject.rawValue + ":" + property.name.text], property.oldValue,
            property.newValue)
        }).joined(separator: " ")
    case .pair(let difference):
      "\(difference.kind.rawValue) \(difference.entityName).\(difference.relationshipName) "
        + "\(difference.source ?? -1)-\(difference.destination ?? -1)"
    case .rows(let rows):
      "\(rows.subject.rawValue) \(rows.tableName) +\(rows.added) -\(rows.removed) ~\(rows.changed)"
    case .externalData(let difference):
      "\(difference.kind.rawValue) file \(difference.name) "
        + "\(difference.oldByteCount ?? -1) \(difference.newByteCount ?? -1)"
    }
  }

  private static func join(_ words: [String], _ old: String?, _ new: String?) -> String {
    let text = words.filter { !$0.isEmpty }.joined(separator: " ")
    return old == nil && new == nil ? text : "\(text) \(old ?? "nil") > \(new ?? "nil")"
  }
}
