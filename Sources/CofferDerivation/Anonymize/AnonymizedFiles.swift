internal import CoreDataStore

/// Writes the external files that shared objects refer to, under new names.
struct AnonymizedFiles {
  let folder: SupportFolder
  let values: ValueReplacement
  let target: SupportFolderWriter

  /// The maximum size of a file that is searched for structure.
  private static let maxStructured = 8 << 20

  /// Writes all files; returns their number, and the attributes whose files kept names and small numbers.
  func write() throws -> (count: Int, structured: Set<String>) {
    var (count, structured) = (0, Set<String>())
    for file in folder.files {
      guard let name = file.externalName, let (isKept, label) = try values.ledger.file(name) else {
        continue
      }
      try Task<Never, Never>.checkCancellation()
      values.keptStructure = false
      let components = [StorePaths.externalDataFolderName, values.fileName(name)]
      if try write(file, name, isKept: isKept, to: components) { count += 1 }
      if values.keptStructure { structured.insert(label) }
    }
    return (count, structured)
  }

  private func write(
    _ file: SupportFolder.File, _ name: String, isKept: Bool, to components: [String]
  ) throws -> Bool {
    if isKept { return try target.copy(file, from: folder, to: components) }
    if file.size <= Self.maxStructured {
      var bytes: [UInt8] = []
      guard
        try unsafe folder.read(file, begin: {}, { unsafe bytes.append(contentsOf: $0) })
      else { return false }
      try write(try values.blob(bytes)[...], zeros: 0, to: components)
    } else {
      let head = values.head(ofFile: name)
      try write(head[...], zeros: file.size - head.count, to: components)
    }
    return true
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
