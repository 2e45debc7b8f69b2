internal import CoreDataArchive
internal import CoreDataModel
internal import POSIX

/// A list of stores: a path on each line, or what `coffer find --json` prints.
enum StoreList {
  /// Reads a list from a file, or standard input if the path is `-`; empty lines count for nothing.
  ///
  /// - Throws: ``CofferError`` with `not-found` or `read-failed`; `refused` for a terminal.
  static func read(_ path: String) throws(CofferError) -> [String] {
    if path == "-", Terminal.isTerminal(0) {
      throw CofferError(
        .refused, path: "standard input", detail: "a list of stores is not read from a terminal",
        advice: "Pass the paths as arguments, or pipe them.")
    }
    return String(decoding: try bytes(of: path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).compactMap { store(String($0)) }
  }

  /// The path on a line; nil for a line of JSON that tells of no store.
  private static func store(_ line: String) -> String? {
    guard line.hasPrefix("{"), let value = try? JSONValue.parse(Array(line.utf8)) else {
      return line
    }
    guard value["type"] == .string("found"), case .string(let path)? = value["path"] else {
      return nil
    }
    return path
  }

  private static func bytes(of path: String) throws(CofferError) -> [UInt8] {
    let name = path == "-" ? "standard input" : path
    do {
      let descriptor = path == "-" ? 0 : try FileIO.open(path)
      defer { if path != "-" { FileIO.close(descriptor) } }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try unsafe piece.withUnsafeMutableBytes {
          try unsafe FileIO.read(descriptor, into: $0)
        }
        if count == 0 { return bytes }
        bytes += piece[..<count]
      }
    } catch let error as SystemError {
      throw CofferError(reading: name, error)
    } catch {
      throw CofferError(.readFailed, path: name)
    }
  }
}
