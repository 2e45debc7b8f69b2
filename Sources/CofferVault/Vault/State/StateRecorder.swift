internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import POSIX

/// Writes a ``StateFile`` while the rows of a state are read, however many they are.
final class StateRecorder: RowWitness {
  private let documents: ChangesDescription
  private var description: StateDescription
  private let path: String
  private let descriptor: Int32
  private var buffer: ContiguousArray<UInt8> = []
  private var hasher = ContentHasher()
  /// Why the file could not be written.
  private var failure: CofferError?

  /// The bytes from which on the buffer is written.
  private static let bufferSize = 1 << 18

  /// Creates the file, for this user only.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - documents: what the state is one of.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  init(at path: String, _ documents: ChangesDescription) throws(CofferError) {
    self.path = path
    self.documents = documents
    description = StateDescription(documents)
    do throws(SystemError) {
      descriptor = try FileIO.create(path, mode: 0o600)
    } catch {
      throw Self.failure(path, error)
    }
  }

  deinit { FileIO.close(descriptor) }

  // MARK: Rows

  func columns(of shape: TableLayout) -> [Int] {
    let key = KeyRule(shape, schema: documents.schema).columns
    guard !key.isEmpty, shape.kind == .entity,
      documents.layout.entities.lineages(below: shape.entityName).count > 1,
      let entity = shape.fields.firstIndex(where: { $0.role == .entityNumber })
    else { return key }
    return key + [entity]
  }

  func take(_ records: RowRecords, of shape: TableLayout) {
    // What identifies rows has to be integers.
    if records.lacksIntegers { description.isComparable = false }
    var table =
      description.tables.last
      ?? .init(name: ExactString(shape.storedName), integerCount: 0, rowCount: 0)
    if description.tables.isEmpty || !table.name.text.hasSameBytes(as: shape.storedName) {
      table = .init(
        name: ExactString(shape.storedName), integerCount: columns(of: shape).count, rowCount: 0)
      description.tables.append(table)
    }
    table.rowCount += records.bytes.count / RowRecords.size(integers: table.integerCount)
    description.tables[description.tables.count - 1] = table
    buffer += records.bytes
    if buffer.count >= Self.bufferSize { write() }
  }

  /// Ends the rows.
  ///
  /// - Parameter index: the entries that an archive of the state has.
  /// - Returns: the state, while its file is not complete.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  func finish(_ index: ArchiveIndex) throws(CofferError) -> StateFile {
    write()
    if let failure { throw failure }
    description.state.digest = index.contentDigest.hex
    for entry in index.entries where ExternalEntryName.components(of: entry.name) != nil {
      description.files[entry.name] = entry.digest
    }
    do throws(SystemError) {
      return StateFile(try FileIO.open(path), description)
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Completes the file, once the state is that of a backup.
  ///
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  func complete(_ origin: StateDescription.Origin) throws(CofferError) {
    description.origin = origin
    let text = description.encoded.bytes(layout: .compact)
    buffer += text
    for shift in 0..<StateFile.lengthSize {
      buffer.append(UInt8(truncatingIfNeeded: text.count >> (8 * shift)))
    }
    write()
    buffer += Array(hasher.digest.hex.utf8)
    write()
    if let failure { throw failure }
  }

  /// Writes the buffer.
  ///
  /// That it cannot be written is told at the end: a backup does not need the file.
  private func write() {
    if failure == nil {
      unsafe buffer.withUnsafeBytes { unsafe hasher.update($0) }
      do throws(SystemError) {
        try FileBytes.write(Array(buffer), to: descriptor)
      } catch {
        failure = Self.failure(path, error)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(_ path: String, _ error: SystemError) -> CofferError {
    CofferError(.temporaryStorageFailed, path: path, detail: error.text)
  }
}
