internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// A file of lines that is written piece by piece.
final class LineFile {
  /// How many bytes are gathered before they are written.
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

  /// Lets something be appended, and writes what has been gathered if it is enough.
  func append(_ body: (inout JSONBuffer) -> Void) throws(CofferError) {
    body(&text)
    if text.count >= Self.pieceSize { try flush() }
  }

  /// Creates the file where it is not there yet, and writes what has been gathered.
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
