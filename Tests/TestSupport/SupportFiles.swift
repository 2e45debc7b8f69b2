internal import Foundation
internal import StoreGenerator

/// The contents of a store's support folder, and of the folder of its mirrored files, by their paths,
/// for a comparison.
struct SupportFiles {
  /// What stands under a path.
  enum Item: Equatable {
    /// A file with its bytes.
    case file(Data)
    /// A link with its target.
    case link(String)
    /// Something else.
    case other
  }

  /// All but folders, by path from the support folder.
  private(set) var files: [String: Item] = [:]

  init(of store: String) throws {
    try self.init(folder: StoreFiles(store).supportFolder)
    for (name, item) in try SupportFiles(folder: StoreFiles(store).assetFolder).files {
      files["../ckAssets/\(name)"] = item
    }
  }

  /// All files of a folder.
  init(folder: String) throws {
    let manager = FileManager.default
    for name in manager.subpaths(atPath: folder) ?? [] {
      let path = "\(folder)/\(name)"
      switch try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
      case .typeDirectory?: continue
      case .typeRegular?: files[name] = .file(try Data(contentsOf: URL(fileURLWithPath: path)))
      case .typeSymbolicLink?:
        files[name] = .link(try manager.destinationOfSymbolicLink(atPath: path))
      default: files[name] = .other
      }
    }
  }
}
