internal import Foundation
internal import StoreGenerator
internal import TestSupport

/// The common parts of two runs of a command that chooses values at random.
extension FolderState {
  /// The state of a folder, reduced to the number of entries of an archive, and to the numbers of rows and
  /// the sizes of the external files of an anonymized store.
  ///
  /// A store with a log, and a store that is not anonymized, stay unchanged.
  ///
  /// - Parameter folder: the path of the folder.
  /// - Returns: the state.
  /// - Throws: the file system's error.
  func withoutChance(in folder: String) throws -> FolderState {
    if names.contains(where: { $0.hasPrefix("R.sqlite-") }) { return self }
    let share = try? Self.rowCounts("\(folder)/R.sqlite")
    var counts: [Int: Int] = [:]
    return try mapped { name, bytes in
      switch name {
      case "R.sqlite":
        return (name, share ?? bytes)
      case "a":
        return (name, try Self.entryCount("\(folder)/\(name)") ?? bytes)
      case _ where share != nil && name.hasPrefix(".R_SUPPORT/_EXTERNAL_DATA/"):
        counts[bytes.count, default: 0] += 1
        return (".R_SUPPORT/_EXTERNAL_DATA/\(bytes.count), \(counts[bytes.count] ?? 0)", [])
      default: return (name, bytes)
      }
    }
  }

  /// The names of a share's tables with the numbers of their rows.
  ///
  /// - Throws: if the store is damaged or no share.
  private static func rowCounts(_ path: String) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    try FileManager.default.copyItem(atPath: path, toPath: directory.file("copy"))
    let database = try GeneratorDatabase(path: directory.file("copy"))
    let notice = "SELECT instr(Z_PLIST, CAST('CofferShare' AS BLOB)) FROM Z_METADATA"
    guard try database.integer(notice) ?? 0 > 0 else { throw GeneratorError("no share") }
    let tables = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' ORDER BY name"
    )
    var text = "\(try database.rows("PRAGMA integrity_check"))"
    guard text == "\([[StoreValue.string("ok")]])" else { throw GeneratorError(text) }
    for row in tables {
      guard case .text(let name)? = row.first else { continue }
      let table = String(decoding: name, as: UTF8.self)
      text += "\n\(table) \(try database.integer("SELECT count(*) FROM \"\(table)\"") ?? -1)"
    }
    return Array(text.utf8)
  }

  private static func entryCount(_ path: String) throws -> [UInt8]? {
    guard let tar = ProcessRunner.find("tar") else { return nil }
    let listed = try ProcessRunner(tar).run(["tzf", path])
    guard listed.status == 0 else { return nil }
    return Array("\(listed.output.split(separator: "\n").count) entries".utf8)
  }
}
