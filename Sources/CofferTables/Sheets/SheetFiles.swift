internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Finds the tables of a folder, a file or a database.
struct SheetFiles {
  private let names: SheetNames
  private let options: SheetOptions

  init(_ model: ManagedObjectModel, _ options: SheetOptions) {
    names = SheetNames(model)
    self.options = options
  }

  /// The tables, in the order of their names.
  ///
  /// - Returns: the tables; in a folder, all files with the extension of a table.
  /// - Throws: `CofferError`: `invalid-table` for a table that belongs to nothing in the model, and if
  ///   there is none; `not-found`, `read-failed`.
  func find(at path: String) throws -> [SheetFile] {
    let isFolder = try isFolder(path)
    var found = try mapped(in: isFolder ? path : StorePaths.folder(of: path))
    if isFolder {
      found += try files(in: path, besides: Set(found.map { Name($0.path) }))
    } else if !found.contains(where: { $0.path.hasSameBytes(as: path) }) {
      found += try tables(at: path, name: StorePaths.name(of: path), place: path)
    }
    guard !found.isEmpty else {
      if isFolder { try refusePartitions(of: path) }
      throw SheetPlace(path: path).error(
        "it has no tables",
        advice: "Tables are files that end in .csv, .ndjson, .jsonl or .sqlite.")
    }
    return found
  }

  /// Throws `invalid-table` if a folder holds the tables of several stores, each in its own folder.
  private func refusePartitions(of path: String) throws(CofferError) {
    let partitions = try? FileTree.names(in: path) { $0.hasPrefix(PartitionFolder.prefix) }
    guard let first = partitions?.min(by: codeUnitsAscend) else { return }
    throw SheetPlace(path: path).error(
      "it holds the tables of several stores, each in a separate folder",
      advice: "Choose one of them, such as \(StorePaths.join(path, first)).")
  }

  private func isFolder(_ path: String) throws(CofferError) -> Bool {
    guard path != "-" else { return false }
    let kind: FileNames.Kind
    do throws(SystemError) {
      kind = try FileNames.kind(of: path)
    } catch {
      throw CofferError(.readFailed, path: path, detail: error.text)
    }
    if kind == .missing { throw CofferError(.notFound, path: path) }
    return kind == .folder
  }

  /// The files that the options name.
  private func mapped(in folder: String) throws(CofferError) -> [SheetFile] {
    var found: [SheetFile] = []
    for (entity, file) in options.files.sorted(by: { $0.key < $1.key }) {
      guard let subject = names.subject(of: entity.text) else {
        throw names.unknown(entity.text, at: file)
      }
      let path = file == "-" || file.hasPrefix("/") ? file : StorePaths.join(folder, file)
      let format = file == "-" ? inputFormat : SheetFile.format(ofName: file) ?? inputFormat
      found.append(SheetFile(path: path, place: path, format: format, subject: subject))
    }
    return found
  }

  private var inputFormat: SheetFile.Format { options.readsLinesOfJSON ? .ndjson : .csv }

  private func files(
    in folder: String, besides known: Set<Name>
  ) throws -> [SheetFile] {
    let all: [String]
    do throws(SystemError) {
      all = try FileTree.names(in: folder) { name in
        !name.hasPrefix(".")
          && (SheetFile.format(ofName: name) != nil || SheetFile.isDatabase(name))
      }
    } catch {
      throw CofferError(.readFailed, path: folder, detail: error.text)
    }
    var found: [SheetFile] = []
    for name in all {
      let path = StorePaths.join(folder, name)
      if known.contains(Name(path)) { continue }
      guard FileState(named: path)?.kind != .link else {
        throw SheetPlace(path: path).error(
          "it is a symbolic link, and links in a folder of tables are not followed",
          advice: "Replace the link by the file, or name the file itself.")
      }
      found += try tables(at: path, name: name, place: path)
    }
    return found
  }

  /// The table of a text file, or the tables of a database.
  private func tables(at path: String, name: String, place: String) throws
    -> [SheetFile]
  {
    if let format = SheetFile.format(ofName: name) {
      let base = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
      guard let subject = names.subject(of: base) else { throw names.unknown(base, at: path) }
      return [SheetFile(path: path, place: place, format: format, subject: subject)]
    }
    guard SheetFile.isDatabase(name) else {
      throw SheetPlace(path: path).error(
        "its entity is unknown",
        advice: path == "-"
          ? "Map it to its entity."
          : "Name it after its entity, with the ending .csv, .ndjson or .sqlite.")
    }
    return try SheetFile.readDatabase(path) { database in
      let rows = try database.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
          + "ESCAPE '\\' ORDER BY name")
      var found: [SheetFile] = []
      for table in rows.compactMap({ $0[0].string }) {
        let bare = table.lowercased().hasPrefix("_sqlite_") ? String(table.dropFirst()) : table
        guard let subject = names.subject(of: table) ?? names.subject(of: bare) else {
          throw names.unknown(table, at: path)
        }
        found.append(
          SheetFile(
            path: path, place: "\(place), table \(table)", format: .database(table: table),
            subject: subject))
      }
      return found
    }
  }
}
