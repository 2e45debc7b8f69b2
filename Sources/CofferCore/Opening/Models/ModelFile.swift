internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import POSIX

/// One model in a file.
///
/// It is a compiled model (`.mom`), or a source (`contents` in a `.xcdatamodel` folder). The kind
/// is recognized by content, not by name.
enum ModelFile {
  private static let optimised = Array("momv2$".utf8)

  private static let advice: CofferError.Advice =
    "Give a model (.mom, .momd, .xcdatamodel or .xcdatamodeld), a store or an archive."
  private static let folderDetail = "the folder does not contain a model"

  /// Reads a model.
  ///
  /// An optimized model (`.omo`) has an unknown format. The compiler also writes a `.mom` file with
  /// the same name, which is read instead.
  static func model(at path: String) throws(CofferError) -> ManagedObjectModel {
    let isFolder = FileSync.isFolder(path)
    let file = isFolder ? StorePaths.join(path, "contents") : path
    if isFolder, FileManager.default.fileExists(atPath: StorePaths.join(path, "elements")),
      !FileManager.default.fileExists(atPath: file)
    {
      throw CofferError(
        .notAModel, path: path,
        detail: "it is a model source in the binary format used before Xcode 4",
        advice: "Open and save it in Xcode, or give the compiled model (.mom).")
    }
    guard !isFolder || FileManager.default.fileExists(atPath: file) else {
      throw CofferError(.notAModel, path: path, detail: folderDetail, advice: advice)
    }
    let content = try bytes(file)
    if content.starts(with: optimised) { return try model(besideOptimised: file) }
    do throws(CofferError) {
      if isSource(content) {
        return try SourceModelReader.read(contents: content)
      }
      return try ModelCacheReader.read(archive: content, source: .file)
    } catch {
      var placed = error.located(at: path)
      if placed.code == .notAModel {
        let foreign = ForeignFile(content)
        if let foreign, foreign != .propertyList { placed.detail = foreign.detail }
        placed.advice = [foreign?.advice(at: path) ?? advice]
      }
      throw placed
    }
  }

  private static func model(besideOptimised path: String) throws(CofferError) -> ManagedObjectModel
  {
    let compiled = (path.hasSuffix(".omo") ? String(path.dropLast(4)) : path) + ".mom"
    guard compiled != path, FileManager.default.fileExists(atPath: compiled) else {
      throw CofferError(
        .notAModel, path: path,
        detail: "it is an optimized model (.omo), which only Core Data can read",
        advice: "Give the .mom file of the same version, which is in the same folder.")
    }
    return try model(at: compiled)
  }

  /// Whether a file is a model source: XML, with or without a declaration, and not a property list.
  private static func isSource(_ content: [UInt8]) -> Bool {
    let text = String(decoding: content.prefix(4096), as: UTF8.self)
    return MarkupElement.isXML(content) && text.contains("<model") && !text.contains("<plist")
  }

  /// The bytes of a file that is not a store; throws `not-a-model` if the file is unreadable.
  static func bytes(_ path: String) throws(CofferError) -> [UInt8] {
    // One byte more than allowed, so that a larger file is refused for its size.
    let limit = ModelCacheReader.maximumArchiveSize + 1
    let bytes: [UInt8]
    do throws(SystemError) {
      let descriptor = try FileBytes.openRegular(path)
      defer { FileIO.close(descriptor) }
      bytes = try FileBytes.rest(of: descriptor, upTo: limit)
    } catch {
      throw CofferError(.notAModel, path: path, detail: "there is no readable file")
    }
    guard !bytes.isEmpty else { throw CofferError(.notAModel, path: path, detail: "it is empty") }
    return bytes
  }
}
