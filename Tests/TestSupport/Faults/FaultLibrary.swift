internal import Foundation

/// The library that makes calls of a program fail, compiled from `faults.c` when it is first needed.
///
/// It is loaded into the program with `LD_PRELOAD`, so it works on Linux alone.
package enum FaultLibrary {
  /// The compiler found no way through the source.
  package struct CompilerError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether there is a compiler; without one, tests that need faults are skipped.
  package static var isAvailable: Bool { compiler != nil }

  /// The path of the compiled library, which stays until the process ends.
  ///
  /// - Throws: ``CompilerError`` with what the compiler says.
  package static func path() throws -> String { try built.get().path }

  private static let compiler = ["cc", "clang", "gcc"].lazy.compactMap(ProcessRunner.find).first

  private struct Built: Sendable {
    let folder: TemporaryDirectory
    let path: String
  }

  private static let built: Result<Built, any Error> = Result { try build() }

  private static func build() throws -> Built {
    guard let compiler else { throw CompilerError(description: "no C compiler was found") }
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("faults.c").path
    let folder = try TemporaryDirectory.untilExit()
    let path = folder.file("faults.so")
    let result = try ProcessRunner(compiler).run([
      "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", path, source, "-ldl",
    ])
    guard result.status == 0 else { throw CompilerError(description: result.errorOutput) }
    return Built(folder: folder, path: path)
  }
}
