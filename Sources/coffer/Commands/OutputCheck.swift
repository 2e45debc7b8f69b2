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
      for other in files[..<number] {
        if Self.isSame(other, file) { throw refusal(of: file, "another output has this name") }
        if Self.isPart(other, of: file) || Self.isPart(file, of: other) {
          throw refusal(of: file, "one output would be a part of the other")
        }
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

  /// Whether a file is, or would be, one of the files next to a store of a name, or in one of its folders.
  private static func isPart(_ file: String, of store: String) -> Bool {
    StorePaths(store: resolved(store)).parts.contains { part in
      isSame(file, part) || resolved(file).hasPrefix(resolved(part) + "/")
    }
  }

  private func require(_ output: String) throws {
    let target = Self.state(output)
    for input in inputs {
      let vault = ((try? BackupReference(input)) ?? nil)?.vault ?? input
      if target?.isSameFile(as: Self.state(input)) == true || Self.isPart(vault, of: output) {
        throw Self.refusal(of: output, "the output would replace the input")
      }
      // A store in the folder of a vault is no part of the vault.
      let isInVault =
        target != nil && Self.resolved(output).hasPrefix(Self.resolved(vault) + "/")
        && InputAdvice.isVault(vault) && (try? FileSignature.isDatabase(fileAt: output)) != true
      if isInVault || Self.isPart(output, of: input) {
        throw Self.refusal(of: output, "the output would replace a part of the input")
      }
    }
  }

  private static func refusal(of output: String, _ detail: String) -> CofferError {
    CofferError(.refused, path: output, detail: detail, advice: "Choose another name.")
  }
}
