internal import CoreDataModel
internal import POSIX

/// The contents of intact entries, in a file without a name until the archive was read: for an
/// archive from a pipe, which cannot be read twice.
final class SalvagedContent {
  /// The file; with the plain bytes of an encrypted archive only once it is finished.
  private(set) var file: OpenFile
  private(set) var end = 0
  /// Encrypts the file if the archive is encrypted; nil otherwise.
  private var seal: SpoolSeal?
  /// Keeps the encrypted file open under its plain bytes.
  private var sealed: OpenFile?

  init(folder: String, isSealed: Bool) throws(CofferError) {
    seal = isSealed ? try SpoolSeal(path: folder) : nil
    do {
      file = OpenFile(
        descriptor: try FileNames.createNameless(in: folder), path: folder, closes: true)
    } catch {
      throw CofferError(.writeFailed, path: folder, error)
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    let descriptor = file.descriptor
    do {
      if seal == nil {
        try unsafe FileIO.writeAll(descriptor, bytes)
      } else {
        try unsafe seal?.append(bytes) { sealed throws(SystemError) in
          try unsafe FileIO.writeAll(descriptor, sealed)
        }
      }
    } catch {
      throw cannotKeep(error)
    }
    end += bytes.count
  }

  /// Ends the writing; from now on the file can be read.
  func finish() throws(CofferError) {
    guard var seal else { return }
    self.seal = nil
    let descriptor = file.descriptor
    do {
      try unsafe seal.finish { sealed throws(SystemError) in
        try unsafe FileIO.writeAll(descriptor, sealed)
      }
    } catch {
      throw cannotKeep(error)
    }
    sealed = file
    file = try seal.opened(file)
  }

  private func cannotKeep(_ failure: SystemError) -> CofferError {
    CofferError(
      .writeFailed, path: file.path, detail: failure.text,
      advice: "Input from a pipe is stored in a temporary folder. Set TMPDIR to use another folder."
    )
  }
}

/// An entry that is intact according to its gzip members and size.
struct SalvagedEntry {
  /// Where its content is read from.
  enum Place {
    /// Its members, in the archive's file.
    case archive(OpenFile, Range<Int>)
    /// A file with the plain bytes, and the offset in it.
    case kept(SalvagedContent, offset: Int)
  }

  /// Its properties in an index; its attributes are empty.
  var entry: ArchiveIndex.Entry
  /// Its name in the archive that it is read from, if that is another archive.
  var storedName: String?
  var place: Place
  /// Whether it is one gzip member, so that no piece of it can have been lost or exchanged.
  var isOnePiece: Bool
  /// The content of index.json; nil of all others.
  var indexContent: ContiguousArray<UInt8>?
}
