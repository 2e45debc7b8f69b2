/// The contents of whole entries, kept in a file without a name until the archive was read: of an archive that
/// comes through a pipe, which cannot be read twice.
final class SalvagedContent {
  let file: OpenFile
  private(set) var end = 0

  /// Makes the file.
  init(folder: String) throws(ArchiveError) {
    do {
      file = OpenFile(
        descriptor: try SystemCall.createNameless(in: folder), path: folder, closes: true)
    } catch {
      throw ArchiveError(.writeFailed, path: folder, detail: error.text)
    }
  }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    do {
      unsafe try SystemCall.writeAll(file.descriptor, bytes)
    } catch {
      throw ArchiveError(
        .writeFailed, path: file.path, detail: error.text,
        hint: "What comes through a pipe is kept in a temporary folder; TMPDIR names another.")
    }
    end += bytes.count
  }
}
