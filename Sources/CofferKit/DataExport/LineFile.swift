internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A file of lines that is written in pieces.
final class LineFile {
  /// The number of bytes to collect before writing.
  private static let pieceSize = 128 << 10

  /// The name in the folder.
  let name: String
  private let folder: OutputFolder
  private var text = JSONBuffer(minimumCapacity: 1 << 10)
  private var isCreated = false

  init(_ name: String, in folder: OutputFolder) {
    self.name = name
    self.folder = folder
  }

  /// Appends something, and writes the collected bytes if there are enough.
  func append(_ body: (inout JSONBuffer) -> Void) throws(CofferError) {
    body(&text)
    if text.count >= Self.pieceSize { try flush() }
  }

  /// Creates the file if necessary, and writes the collected bytes.
  func flush() throws(CofferError) {
    if !isCreated {
      try folder.create(name)
      isCreated = true
    }
    try unsafe text.withUnsafeBytes { bytes throws(CofferError) in
      if bytes.count > 0 { try unsafe folder.append(bytes, to: name) }
    }
    text.removeAll()
  }
}
