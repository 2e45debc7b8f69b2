internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The rows of an archive, part by part.
struct ArchiveRowSource: RowSource {
  private let archive: OpenArchive

  init(_ archive: OpenArchive) { self.archive = archive }

  var path: String { archive.path }
  var model: ManagedObjectModel { archive.documents.model }
  var shapes: [TableLayout] { archive.documents.layout.tables }
  var entities: ArchiveEntities { archive.documents.layout.entities }

  func estimatedRowCount(of shape: TableLayout) -> Int? {
    shape.kind == .entity ? archive.objectCount(of: shape) : archive.rowCount(of: shape)
  }

  func readRows(of shape: TableLayout, into cells: RowCells, _ body: () throws -> Void) throws {
    let parts = ArchivePartReader(shape, of: archive)
    let reader = LineReader(shape, entities: entities)
    while try parts.nextPart() {
      var lines = parts.takeLines()
      let place = parts.place
      try unsafe lines.withUnsafeMutableBytes { lines in
        try unsafe parts.blobs.withUnsafeBytes { blobs in
          var decoder = unsafe LineDecoder(
            blobs: blobs, entityNumbers: reader.entityNumbers, limits: parts.limits)
          try unsafe read(lines, of: place, reader, &decoder, into: cells, body)
        }
      }
    }
  }

  private func read(
    _ lines: UnsafeMutableRawBufferPointer, of place: String, _ reader: LineReader,
    _ decoder: inout LineDecoder, into cells: RowCells, _ body: () throws -> Void
  ) throws {
    var start = 0
    var number = 0
    while start < lines.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[start...])
      let length = unsafe rest.lineLength
      let line = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<length])
      start += length + 1
      number += 1
      do throws(LineError) {
        _ = unsafe try reader.read(line, &decoder, into: cells)
      } catch {
        throw error.archiveError(archive.file.limits, path: path, entry: place, line: number)
      }
      for value in decoder.largeValues {
        let name = "\(reader.shape.folder)/\(value.name)"
        cells.keep(try archive.file.read(name, limit: .textSize), of: value)
      }
      try body()
    }
  }

  func readExternalFile(
    _ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let entry = ExternalEntryName.entry(for: [StorePaths.externalDataFolderName, name])
    guard archive.file.index[entry] != nil else { return false }
    let stream = try archive.file.open(entry)
    var piece = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
    while true {
      let count = try unsafe piece.withUnsafeMutableBytes { unsafe try stream.read(into: $0) }
      if count == 0 { return true }
      try unsafe piece.withUnsafeBytes {
        unsafe try body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
  }

  func requireUnchanged() {}
}
