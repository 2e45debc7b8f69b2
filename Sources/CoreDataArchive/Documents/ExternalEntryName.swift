/// The names of the entries that hold files of the support folder.
///
/// A file of external binary data has the name by which objects refer to it (`external/UUID`). Any
/// other file of the folder has its path (`support/…`), with each component encoded so that it can
/// only be a name.
package enum ExternalEntryName {
  private static let dataFolder = "_EXTERNAL_DATA"

  /// The name of the entry for a file, given the components of its path from the support folder.
  package static func entry(for components: [String]) -> String {
    let encoded = components.map(ArchiveEntryName.component)
    if components.count == 2, components[0] == dataFolder { return "external/" + encoded[1] }
    return "support/" + encoded.joined(separator: "/")
  }

  /// Whether an entry is in one of the folders of files, so that it must be one.
  package static func isFile(_ entry: String) -> Bool {
    entry.hasPrefix("external/") || entry.hasPrefix("support/")
  }

  /// The components of the path of an entry; nil if it is not the entry of a file, or not a valid
  /// one.
  package static func components(of entry: String) -> [String]? {
    // By bytes: to Swift a slash with an accent behind it is no slash.
    let parts = entry.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 2 else { return nil }
    var components: [String] = parts[0] == "external" ? [dataFolder] : []
    guard parts[0] == "support" || (parts[0] == "external" && parts.count == 2) else { return nil }
    for part in parts.dropFirst() {
      guard let name = ArchiveEntryName.decodedComponent(part), !name.isEmpty, name != ".",
        name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
        name.utf8.count <= 255
      else { return nil }
      components.append(name)
    }
    // What belongs to the one folder does not stand in the other.
    return self.entry(for: components) == entry ? components : nil
  }
}
