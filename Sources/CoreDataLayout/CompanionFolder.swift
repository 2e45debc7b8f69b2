/// A folder next to a store that carries its name and belongs to it, other than the support folder.
///
/// CloudKit mirroring keeps the files of its records there (store-format, section 6). Their content
/// is copied unchanged.
package struct CompanionFolder: Hashable, Sendable {
  /// The name of the folder, whatever the store is called: `NAME` is replaced by the name of the
  /// store's file without its extension, `FILE` by the full name.
  package let place: String

  private static let endings = ["_ckAssets", "_ckAssetFiles"]
  private static let stems = ["NAME", "FILE", ".NAME", ".FILE"]

  /// All that there can be, in ascending order of their places.
  package static let all = stems.flatMap { stem in
    endings.map { CompanionFolder(place: stem + $0) }
  }.sorted { $0.place < $1.place }

  private init(place: String) { self.place = place }

  /// The folder with a place; nil if there is no such folder.
  package init?(place: some StringProtocol) {
    guard let folder = Self.all.first(where: { $0.place.utf8.elementsEqual(place.utf8) }) else {
      return nil
    }
    self = folder
  }

  /// The name of the folder of a store, from the name of its file without and with the extension.
  package func name(_ baseName: String, _ fileName: String) -> String {
    let hidden = place.hasPrefix(".") ? "." : ""
    let rest = place.dropFirst(hidden.count)
    return hidden + (rest.hasPrefix("NAME") ? baseName : fileName) + rest.dropFirst(4)
  }

  /// Whether stores that differ only in their extension share the folder.
  package var isShared: Bool { place.contains("NAME") }

  /// The most levels of folders that a file of a store may be below the support folder, or below such a
  /// folder: deeper ones are neither read nor written.
  package static let maxLevels = 8

  /// The prefix of the path of a file in such a folder, from the support folder; its place follows.
  package static let parent = ".."

  /// The folder that a file is in, by the components of its path from the support folder; nil for a
  /// file of the support folder.
  package static func of(_ components: [String]) -> CompanionFolder? {
    guard components.count > 2, components[0] == parent else { return nil }
    return CompanionFolder(place: components[1])
  }
}
