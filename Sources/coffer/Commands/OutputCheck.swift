internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Refuses outputs that would replace a file that the command reads, or each other.
///
/// Every other argument that names a file counts as one that is read, so that no command has to list its
/// inputs. Files are compared through links.
struct OutputCheck {
  /// The values of arguments and options, without the outputs.
  private var inputs: [String]

  /// Checks the outputs of a command, of which `-` is standard output.
  ///
  /// - Throws: ``CofferError`` with the code `refused`.
  static func require(_ outputs: [String], _ arguments: some Collection<String>) throws {
    let files = outputs.filter { $0 != "-" }
    guard !files.isEmpty else { return }
    var check = OutputCheck(inputs: arguments.flatMap(values))
    for file in files {
      if let own = check.inputs.firstIndex(where: { $0.hasSameBytes(as: file) }) {
        check.inputs.remove(at: own)
      }
    }
    for (number, file) in files.enumerated() {
      if files[..<number].contains(where: { Self.isSame($0, file) }) {
        throw refusal(of: file, "another output has this name")
      }
      try check.require(file)
    }
  }

  /// The value of an argument; none for an option without one.
  private static func values(of argument: String) -> [String] {
    guard argument.hasPrefix("-") else { return [argument] }
    return argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
  }

  /// Whether two paths lead to the same file, or to the same name where there is none yet.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    if let file = state(left) { return file.isSameFile(as: state(right)) }
    return resolved(left) == resolved(right)
  }

  private static func state(_ path: String) -> FileState? { try? FileState.look(at: path) }

  /// The path without links, of a file that need not exist.
  private static func resolved(_ path: String) -> String {
    if let path = try? FileNames.resolve(path) { return path }
    let folder = StorePaths(store: path).folder
    return StorePaths.join((try? FileNames.resolve(folder)) ?? folder, StorePaths.name(of: path))
  }

  private func require(_ output: String) throws {
    guard let target = Self.state(output) else { return }
    let path = Self.resolved(output)
    for input in inputs {
      let files = [input] + ["-wal", "-shm", "-journal"].map { input + $0 }
      if files.contains(where: { target.isSameFile(as: Self.state($0)) }) {
        throw Self.refusal(of: output, "the output would replace the input")
      }
      // A store in the folder of a vault is no part of the vault.
      for folder in Self.folders(of: input)
      where path.hasPrefix(Self.resolved(folder) + "/")
        && (try? FileSignature.isDatabase(fileAt: output)) != true
      {
        throw Self.refusal(of: output, "the output would replace a part of the input")
      }
    }
  }

  /// The folders whose files are parts of an input: the vault of a backup, or the folders next to a store.
  private static func folders(of input: String) -> [String] {
    if state(input)?.kind == .file {
      let store = StorePaths(store: (try? FileNames.resolve(input)) ?? input)
      return store.presentFolderNames.map { StorePaths.join(store.folder, $0) }
    }
    let vault = ((try? BackupReference(input)) ?? nil)?.vault ?? input
    return InputAdvice.isVault(vault) ? [vault] : []
  }

  private static func refusal(of output: String, _ detail: String) -> CofferError {
    CofferError(.refused, path: output, detail: detail, advice: "Choose another name.")
  }
}
