internal import CoreDataModel
internal import DataCompression

/// The content of a repacked archive, in a file without a name.
///
/// The archive was unpacked and packed again with standard tools: the members are not
/// coffer's, and the entries may be in any order. The names in it are only keys, never paths.
final class ArchiveSpool: Sendable {
  /// A file of the tar.
  struct Item: Sendable {
    var name: String
    /// The place of its content in the spool file.
    var offset: Int
    /// The size of the content in bytes.
    var size: Int
    /// Whether an earlier entry has the same name.
    var isDuplicate: Bool
  }

  /// The entries in the order of the tar, index.json not among them.
  let items: [Item]
  private let positions: [Name: Int]
  private let index: Item
  private let file: OpenFile
  private let limits: ArchiveLimits
  /// The archive's path, for errors.
  private let path: String

  /// Reads a complete repacked archive.
  ///
  /// - Throws: `not-an-archive` if it is not a tar file or has neither manifest nor index,
  ///   `truncated-archive` for a missing index or a truncated stream, `damaged-archive`,
  ///   `archive-limit`, `write-failed` if the content cannot be stored.
  init(
    _ input: ArchiveInput, _ format: MemberFormat, folder: String, _ log: ProblemLog
  ) throws(CofferError) {
    var writer = try SpoolWriter(input, format, folder: folder, log)
    try writer.run()
    file = writer.file
    path = input.file.path
    guard let index = writer.items.first(where: { $0.name == EntryName.index }) else {
      guard writer.items.contains(where: { $0.name == EntryName.manifest }) else {
        throw CofferError(
          .notAnArchive, path: path, detail: "it is a tar file without manifest.json and index.json"
        )
      }
      throw CofferError(.truncatedArchive, path: path, detail: "index.json is missing")
    }
    if let limit = log.limits.exceeded(byIndex: index.size, at: input.offset) {
      throw CofferError.exceeding(
        limit, of: log.limits, path: path, entry: EntryName.index,
        "it has \(index.size) bytes, more")
    }
    limits = log.limits
    self.index = index
    items = writer.items.filter { $0.name != EntryName.index }
    var positions: [Name: Int] = [:]
    for (position, item) in items.enumerated() where !item.isDuplicate {
      positions[Name(item.name)] = position
    }
    self.positions = positions
  }

  func indexContent() throws(CofferError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: index.size)
    try Self.read(file, at: index.offset, into: &bytes)
    return bytes
  }

  /// Reads the index, and checks that the archive holds exactly the listed entries.
  func checkedIndex() throws(CofferError) -> ArchiveIndex {
    let index: ArchiveIndex
    do {
      index = try ArchiveIndex.decode(try indexContent(), limits: limits)
    } catch {
      throw error.located(at: path)
    }
    try check(index)
    return index
  }

  /// The first file with a name, or nil if there is none.
  subscript(name: String) -> Item? { positions[Name(name)].map { items[$0] } }

  /// Passes bytes of the file to a closure, at most 256 KiB; returns the count of bytes, at least 1.
  func read(
    at offset: Int, count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(CofferError) -> Int {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: min(count, 256 << 10))
    try Self.read(file, at: offset, into: &buffer)
    unsafe buffer.withBytes { bytes in unsafe body(bytes) }
    return buffer.count
  }

  private static func read(
    _ file: OpenFile, at offset: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(CofferError) {
    let input = ArchiveInput(file, range: offset..<offset + bytes.count)
    let count = try unsafe bytes.withMutableBytes { target throws(CofferError) in
      try unsafe input.read(into: target)
    }
    guard count == bytes.count else {
      throw CofferError(.readFailed, path: file.path, detail: "the temporary file was truncated")
    }
  }

  private func check(_ index: ArchiveIndex) throws(CofferError) {
    for entry in index.entries {
      guard let item = self[entry.name] else {
        throw damaged(entry.name, "it is missing, although the index lists it")
      }
      guard item.size == entry.size else {
        throw damaged(entry.name, "it has \(item.size) bytes; the index says \(entry.size)")
      }
    }
    let names = items.map(\.name).filter { index[$0] == nil }
    if let name = names.min() { throw damaged(name, "the index does not list it") }
  }

  private func damaged(_ entry: String, _ detail: String) -> CofferError {
    CofferError(.damagedArchive, path: path, entry: entry, detail: detail)
  }
}
