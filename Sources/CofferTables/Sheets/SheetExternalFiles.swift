internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import POSIX

/// Takes over the files that tables name: as external files of the store, or into its rows.
final class SheetExternalFiles {
  private let folder: String
  private let writer: SupportFolderWriter
  /// The names of the files by the paths from which they were copied.
  private var copied: [Name: ExternalFileName] = [:]
  var count: Int { copied.count }

  init(from folder: String, to writer: SupportFolderWriter) {
    self.folder = folder
    self.writer = writer
  }

  private func open(_ path: String) throws(SheetValueProblem) -> Int32 {
    let advice: CofferError.Advice =
      "Paths are relative to the folder of the tables, and stay in it."
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !names.contains(""), !names.contains(".."), !path.utf8.contains(0) else {
      throw SheetValueProblem(detail: "it is not the path of a file", advice: advice)
    }
    do throws(SystemError) {
      // The folder itself may be behind a link, which the user has named.
      var place = try OpenFolder(path: StorePaths.join(folder, "."))
      for name in names.dropLast() { place = try OpenFolder(String(name), in: place) }
      if let file = try place.openFile(String(names[names.count - 1])) { return file }
    } catch {
      let isLinked = names.indices.contains { last in
        let part = names[...last].joined(separator: "/")
        return FileState(named: StorePaths.join(folder, part))?.kind == .link
      }
      let detail =
        if isLinked {
          "it is a symbolic link or in a linked folder, and links are not followed"
        } else if error.isMissing {
          "the file does not exist"
        } else {
          "the file cannot be read: \(error.text)"
        }
      throw SheetValueProblem(detail: detail, advice: advice)
    }
    throw SheetValueProblem(detail: "it is not a regular file", advice: advice)
  }

  /// Copies a file into the folder of external files.
  ///
  /// A file whose name is one of an external file keeps it.
  ///
  /// - Returns: the value that refers to it.
  /// - Throws: ``SheetValueProblem`` if it cannot be read; `CofferError` with `write-failed`.
  func copy(_ path: String) throws -> SQLiteValue {
    if let name = copied[Name(path)] { return ExternalValue.inFile(named: name.text) }
    let descriptor = try open(path)
    defer { FileIO.close(descriptor) }
    let own = ExternalFileName(StorePaths.name(of: path))
    let isTaken = own.map { copied.values.contains($0) } ?? true
    let new = ExternalFileName(UUID().uuidString)
    guard let name = isTaken ? new : own else { return .null }
    let size = FileIO.size(of: descriptor) ?? 0
    unsafe try writer.write([StorePaths.externalDataFolderName, name.text], size: size) { room in
      do throws(SystemError) {
        return unsafe try FileIO.read(descriptor, into: room)
      } catch {
        throw SheetValueProblem(detail: "the file cannot be read: \(error.text)")
      }
    }
    copied[Name(path)] = name
    return ExternalValue.inFile(named: name.text)
  }

  /// Reads a file.
  func read(_ path: String) throws(SheetValueProblem) -> SQLiteValue {
    let descriptor = try open(path)
    defer { FileIO.close(descriptor) }
    let size = FileIO.size(of: descriptor) ?? 0
    guard size <= SheetBuffer.largestRecord else {
      throw SheetValueProblem(
        detail:
          "the file has more than \(SheetBuffer.largestRecord >> 20) MiB, and the attribute is not "
          + "stored in files")
    }
    do throws(SystemError) {
      return .blob(try FileBytes.read(descriptor, at: 0, count: size))
    } catch {
      throw SheetValueProblem(detail: "the file cannot be read: \(error.text)")
    }
  }
}
