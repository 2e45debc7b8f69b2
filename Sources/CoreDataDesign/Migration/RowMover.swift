package import CoreDataModel
package import CoreDataStore

/// Carries the rows of an old store into the tables of a new one.
///
/// It uses bounded memory: large values are copied piece by piece. Do not use it outside the blocks
/// of both databases.
package struct RowMover {
  private let source: SQLiteDatabase
  private let target: SQLiteDatabase
  private let folder: SupportFolder
  private let files: [Name: SupportFolder.File]

  /// The names of the files of external binary data that the new rows refer to.
  package private(set) var references: Set<Name> = []

  /// The number of rows between two progress reports.
  private static let batch = 1000

  /// Prepares the carrying.
  ///
  /// - Parameters:
  ///   - source: the old store.
  ///   - target: the new store, with its tables and without rows.
  ///   - folder: the support folder of the old store.
  package init(from source: SQLiteDatabase, to target: SQLiteDatabase, folder: SupportFolder) {
    self.source = source
    self.target = target
    self.folder = folder
    var files: [Name: SupportFolder.File] = [:]
    for file in folder.files {
      if let name = file.externalName { files[Name(name)] = file }
    }
    self.files = files
  }

  /// Carries the rows of one table.
  ///
  /// - Parameters:
  ///   - statement: the statement that reads the rows, and the destination of its results.
  ///   - step: called now and then with the number of rows since the last time.
  /// - Returns: the number of rows.
  /// - Throws: ``CofferError`` for an error of SQLite; `refused` for a value that the new table
  ///   cannot contain; errors from the closure.
  package mutating func move(
    _ statement: TransferStatement, step: (Int) throws -> Void
  ) throws -> Int {
    let selection = try source.prepare(statement.selection)
    for (index, argument) in statement.arguments.enumerated() {
      selection.bind(argument, at: Int32(clamping: index + 1))
    }
    let insertion = try target.prepareInsertion(
      table: statement.table, columns: statement.columns.map(\.name), hasRowNumbers: false)
    var count = 0
    while try selection.step() {
      insertion.clearBindings()
      var pending: [Pending] = []
      for (index, column) in statement.columns.enumerated() {
        try bind(column, at: Int32(clamping: index), from: selection, to: insertion, &pending)
      }
      try insertion.run()
      for value in pending { try fill(value, of: selection.int64(0), statement) }
      count += 1
      if count % Self.batch == 0 { try step(Self.batch) }
    }
    try step(count % Self.batch)
    return count
  }

  // MARK: Values

  /// A value that is filled in after its row was inserted.
  private struct Pending {
    enum Content {
      /// Bytes of the old value from an offset on, after a new first byte if there is one.
      case stored(skipping: Int, marker: Bool)
      case file(SupportFolder.File)
    }

    let column: TransferStatement.Column
    let content: Content
  }

  private mutating func bind(
    _ column: TransferStatement.Column, at index: Int32, from row: borrowing SQLiteStatement,
    to insertion: borrowing SQLiteStatement, _ pending: inout [Pending]
  ) throws(CofferError) {
    let parameter = index + 1
    switch row.storageClass(index) {
    case .integer: insertion.bind(row.int64(index), at: parameter)
    case .real: insertion.bind(row.double(index), at: parameter)
    case .text: unsafe insertion.bind(lentText: row.textBytes(index), at: parameter)
    case .blob:
      try bind(blobOf: column, at: index, from: row, to: insertion, &pending)
    case .null:
      guard let size = column.sizeColumn, row.storageClass(size) == .integer else { return }
      let skipped = column.marker == .removed ? 1 : 0
      let added = column.marker == .added ? 1 : 0
      insertion.bind(zeroBlob: row.int64(size) - Int64(skipped) + Int64(added), at: parameter)
      pending.append(
        Pending(column: column, content: .stored(skipping: skipped, marker: added == 1)))
    }
  }

  private mutating func bind(
    blobOf column: TransferStatement.Column, at index: Int32, from row: borrowing SQLiteStatement,
    to insertion: borrowing SQLiteStatement, _ pending: inout [Pending]
  ) throws(CofferError) {
    let bytes = unsafe row.blobBytes(index)
    let parameter = index + 1
    let name = column.mayBeExternal ? unsafe ExternalValue.fileName(bytes) : nil
    switch column.marker {
    case .unchanged:
      if let name { references.insert(Name(name)) }
      unsafe insertion.bind(lentBlob: bytes, at: parameter)
    case .added:
      insertion.bind(.blob(unsafe [ExternalValue.inlineMarker] + bytes), at: parameter)
    case .removed:
      if let name {
        guard let file = files[Name(name)] else {
          throw refusal(column, "the file of a value is missing")
        }
        insertion.bind(zeroBlob: Int64(file.size), at: parameter)
        pending.append(Pending(column: column, content: .file(file)))
        return
      }
      guard unsafe bytes.first == ExternalValue.inlineMarker else {
        throw refusal(column, "a value does not say whether it is in a file")
      }
      insertion.bind(.blob(unsafe Array(bytes.dropFirst())), at: parameter)
    }
  }

  private func refusal(_ column: TransferStatement.Column, _ detail: String) -> CofferError {
    CofferError(
      .refused, path: source.place, detail: "\(column.origin ?? column.name): \(detail)",
      advice: "Verify the store, then repair it or migrate an older backup.")
  }

  private func fill(_ value: Pending, of key: Int64, _ statement: TransferStatement) throws {
    let into = try target.blob(
      table: statement.table, column: value.column.name, row: key, isWriting: true)
    switch value.content {
    case .stored(let skipped, let hasMarker):
      guard let table = statement.originTable, let origin = value.column.origin else { return }
      let from = try source.blob(table: table, column: origin, row: key)
      if hasMarker {
        try unsafe withUnsafeBytes(of: ExternalValue.inlineMarker) {
          unsafe try into.write($0, at: 0)
        }
      }
      let shift = (hasMarker ? 1 : 0) - skipped
      unsafe try from.readPieces { piece, offset throws(CofferError) in
        let start = max(0, skipped - offset)
        unsafe try into.write(
          UnsafeRawBufferPointer(rebasing: piece[start...]), at: offset + start + shift)
      }
    case .file(let file):
      var offset = 0
      let isThere = try unsafe folder.read(file, begin: {}) { piece in
        unsafe try into.write(piece, at: offset)
        offset += piece.count
      }
      guard isThere else {
        throw refusal(value.column, "a file disappeared while it was being read")
      }
    }
  }
}
