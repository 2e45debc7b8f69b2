internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// File names for names from data: valid in a single folder on every system.
///
/// Everything but letters, digits, `_` and `-` is written as `%` and two hexadecimal digits, as in
/// archives.
struct DataFileNames {
  /// The maximum size of a name in bytes, which leaves space for an extension.
  private static let longest = 200
  private var names = UniqueNames(.files)

  mutating func take(_ part: DataPart, ending: String) -> String {
    let components = [part.entityName] + [part.relationshipName].compactMap(\.self)
    let name = components.map { Self.component($0.text) }.joined(separator: ".")
    return "\(names.take(name)).\(ending)"
  }

  /// The name of the database for a store or archive: its file name without the extension.
  static func databaseName(of path: String) -> String {
    var name = StorePaths.name(of: path)
    let given = name
    for ending in [".age", ".gz", ".tar", ".coffer"] where name.lowercased().hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    if name == given { name = StorePaths(store: path).baseName }
    while name.hasPrefix(".") { name.removeFirst() }
    return name.isEmpty ? "Store" : name
  }

  static func component(_ name: String) -> String {
    var component = ArchiveEntryName.component(name)
    while component.utf8.count > longest / 2 { component.removeLast() }
    return component.isEmpty ? "%" : component
  }
}
