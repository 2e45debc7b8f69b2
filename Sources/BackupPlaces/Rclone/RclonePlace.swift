package import CoreDataModel
internal import Foundation
internal import POSIX
internal import Synchronization

/// A folder on a service that rclone supports; rclone does the work in a separate process.
///
/// Services have no common way to create a file only if it does not exist, so this place looks first. It
/// sends a file under a temporary name and then moves it; if a service cannot move files, rclone copies it.
/// The first write after a day removes the files of killed writers.
package final class RclonePlace: BackupPlace {
  package var address: String { folder.description }

  private let folder: RcloneAddress
  private let program: RcloneProgram
  private let hasCleanedUp = Mutex(false)

  /// The greatest size of a list of files, and of a file that is read as a whole, in bytes.
  private static let (maxList, maxWhole) = (1 << 28, 1 << 30)
  /// The greatest offset in a file, which no service exceeds.
  private static let maxOffset: UInt64 = 1 << 60
  /// The age in seconds at which an incomplete file counts as abandoned.
  private static let leftoverAge = 86_400.0

  /// Creates the place; rclone is not started until something is read or written.
  package init(
    _ address: RcloneAddress, environment: [String: String], program: String = "rclone"
  ) {
    folder = address
    self.program = RcloneProgram(address, program: program, environment: environment)
  }

  package func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    let slash = prefix.lastIndex(of: "/")
    let above = slash.map { String(prefix[...$0]) } ?? ""
    guard above.isEmpty || PlaceName.isValid(String(above.dropLast())) else { return [] }
    return try entries(above, isDeep: true)
      .compactMap { $0.file(in: above) }
      .filter { $0.name.utf8.starts(with: prefix.utf8) }
      .sorted { PlaceName.precedes($0.name, $1.name) }
  }

  /// The files of a folder of the place; none if there is no folder.
  private func entries(_ above: String, isDeep: Bool) throws(CofferError) -> [RcloneEntry] {
    let output = try program.run(
      ["lsjson", "--files-only", "--no-mimetype"] + (isDeep ? ["--recursive"] : []),
      [above.isEmpty ? folder.folder : folder.path(String(above.dropLast()))],
      maxOutput: Self.maxList, .readFailed)
    return try output.map { bytes throws(CofferError) in try decoded(bytes) } ?? []
  }

  private func decoded<Value: Decodable>(_ bytes: [UInt8]) throws(CofferError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      throw CofferError(
        .readFailed, path: address, detail: "rclone printed something other than a list of files",
        advice: "Install rclone 1.60 or newer.")
    }
  }

  /// The file of that name; nil if there is none.
  private func entry(_ path: String) throws(CofferError) -> RcloneEntry? {
    let output = try program.run(["lsjson", "--stat", "--no-mimetype"], [path], .readFailed)
    guard let output else { return nil }
    let entry: RcloneEntry = try decoded(output)
    return entry.isFolder ? nil : entry
  }

  /// Whether there is a file of that name.
  private func exists(_ path: String) throws(CofferError) -> Bool { try entry(path) != nil }

  package func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try PlaceName.check(name, at: address)
    let range = (range ?? 0..<UInt64(Self.maxWhole) + 1).clamped(to: 0..<Self.maxOffset)
    // A list of names, because rclone would print all files in a folder passed as an argument.
    let bytes =
      range.isEmpty
      ? []
      : try program.run(
        [
          "cat", "--offset", "\(range.lowerBound)", "--count", "\(range.count)",
          "--files-from-raw", "-",
        ], [folder.folder], input: Array("\(name)\n".utf8),
        maxOutput: min(range.count, Self.maxWhole), .readFailed)
    guard let bytes, !bytes.isEmpty else {
      guard try exists(folder.path(name)) else {
        throw CofferError(.notFound, path: "\(address)/\(name)")
      }
      return []
    }
    return bytes
  }

  package func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try PlaceName.check(name, at: address)
    guard try !exists(folder.path(name)) else { return false }
    let (partial, size) = try send(file)
    do throws(CofferError) {
      try move(partial, size, to: name, "--ignore-existing")
      // An existing file of a faster writer stays.
      guard try exists(partial) else { return true }
    } catch {
      discard(partial)
      throw error
    }
    discard(partial)
    return false
  }

  package func put(_ name: String, from file: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    let (partial, size) = try send(file)
    do throws(CofferError) {
      // Without it, rclone would not replace a file of the same size and time.
      try move(partial, size, to: name, "--ignore-times")
    } catch {
      discard(partial)
      throw error
    }
  }

  package func delete(_ name: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    let path = folder.path(name)
    do throws(CofferError) {
      _ = try program.run(["deletefile", "--retries", "1"], [path], .writeFailed)
    } catch {
      if try exists(path) { throw error }
    }
  }

  // MARK: Writing

  /// Sends a local file under a temporary name; returns the file as rclone names it, and its size.
  private func send(_ file: String) throws(CofferError) -> (partial: String, size: Int64) {
    let size: Int64
    do throws(SystemError) {
      let descriptor = try FileBytes.openRegular(file)
      defer { FileIO.close(descriptor) }
      size = Int64(FileIO.size(of: descriptor) ?? 0)
    } catch {
      throw CofferError(reading: file, error)
    }
    cleanUp()
    let partial = folder.path(PlaceName.partialPrefix + OwnedName.random())
    // rclone mistakes an absolute path neither for an option nor for a remote.
    let path = URL(fileURLWithPath: file).path
    do throws(CofferError) {
      guard try program.run(["copyto"], [path, partial], .writeFailed) != nil else {
        throw CofferError(
          .writeFailed, path: address, detail: "there is no such folder, and it cannot be created",
          advice: "Check the remote and its path.")
      }
      return (partial, size)
    } catch {
      discard(partial)
      throw error
    }
  }

  private func move(
    _ partial: String, _ size: Int64, to name: String, _ option: String
  ) throws(CofferError) {
    var failure = CofferError(
      .writeFailed, path: address, item: name, detail: "the uploaded file has disappeared",
      advice: "Try again.")
    do throws(CofferError) {
      let paths = [partial, folder.path(name)]
      if try program.run(["moveto", option], paths, .writeFailed) != nil { return }
    } catch {
      failure = error
    }
    // rclone retries by itself, and finds nothing to move if the move succeeded and only the
    // response was lost.
    guard (try? exists(partial)) == false, let found = try? entry(folder.path(name)),
      found.size == size || found.size < 0
    else { throw failure }
  }

  private func discard(_ partial: String) {
    _ = try? program.run(
      ["deletefile", "--retries", "1"], [partial], outlivesTask: true, .writeFailed)
  }

  /// Removes leftovers of killed writers, once.
  private func cleanUp() {
    let isFirst = hasCleanedUp.withLock { done in
      defer { done = true }
      return !done
    }
    guard isFirst, let entries = try? entries("", isDeep: false) else { return }
    for entry in entries where OwnedName.matches(entry.name, prefix: PlaceName.partialPrefix) {
      guard entry.written.timeIntervalSinceNow < -Self.leftoverAge else { continue }
      discard(folder.path(entry.name))
    }
  }
}
