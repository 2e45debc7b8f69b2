internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Writes the external files that shared objects refer to, under new names.
struct SharedFiles {
  let source: StoreRowSource
  let values: ValueReplacement
  let target: SupportFolderWriter

  /// The size of the largest file in which structure is looked for.
  private static let mostStructured = 8 << 20

  /// Writes all files.
  ///
  /// - Returns: their number.
  /// - Throws: errors from reading and writing; `CancellationError`.
  func write() throws -> Int {
    var count = 0
    for file in try source.files() {
      guard let name = file.externalName, let isKept = try values.ledger.isKept(file: name) else {
        continue
      }
      try Task<Never, Never>.checkCancellation()
      let components = [StorePaths.externalDataFolderName, values.fileName(name)]
      if try write(file, name, isKept: isKept, to: components) { count += 1 }
    }
    return count
  }

  private func write(
    _ file: SupportFolder.File, _ name: String, isKept: Bool, to components: [String]
  ) throws -> Bool {
    if isKept { return try copy(file, to: components) }
    if file.size <= Self.mostStructured {
      var bytes: [UInt8] = []
      guard try unsafe source.read(file, { unsafe bytes.append(contentsOf: $0) }) else {
        return false
      }
      try write(try values.blob(bytes)[...], zeros: 0, to: components)
    } else {
      let head = values.head(ofFile: name)
      try write(head[...], zeros: file.size - head.count, to: components)
    }
    return true
  }

  /// Copies a file as it is, piece by piece.
  private func copy(_ file: SupportFolder.File, to components: [String]) throws -> Bool {
    let path = StorePaths(store: source.path).path(of: file.components)
    do {
      let descriptor = try FileBytes.openRegular(path)
      defer { FileIO.close(descriptor) }
      var offset = 0
      try unsafe target.write(components, size: file.size) { room in
        let count = try unsafe FileIO.read(descriptor, at: offset, into: room)
        offset += count
        return count
      }
      return true
    } catch let error as SystemError {
      if error.isMissing { return false }
      throw CofferError(.readFailed, path: path, error)
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, zeros: Int, to components: [String]) throws {
    var (rest, zeros) = (bytes, zeros)
    try unsafe target.write(components, size: bytes.count + zeros) { room in
      let count = min(room.count, rest.isEmpty ? zeros : rest.count)
      if rest.isEmpty {
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count])
          .initializeMemory(as: UInt8.self, repeating: 0)
        zeros -= count
      } else {
        unsafe room.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      return count
    }
  }
}
