internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// What all commands make of a store that was made to break them.
struct HostileOutcome {
  /// By command: `done`, or the code of its error.
  private(set) var results: [String: String] = [:]
  /// The codes of the findings of a verification.
  private(set) var findings: Set<String> = []

  /// Runs all commands on a store, which with its folder must stay as it is.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - isRestored: whether an archive that could be written is restored too.
  /// - Throws: errors of the file system.
  init(of path: String, isRestored: Bool = true) throws {
    let folder = StorePaths.folder(of: path)
    let before = try FolderState(of: folder)
    let other = try TemporaryDirectory()
    let archive = other.file("Store.coffer.tar.gz")
    results["export"] = Self.result {
      _ = try StoreExporter().export(try PersistentStore(readingFrom: path), to: archive)
    }
    if isRestored, results["export"] == "done" {
      results["import"] = Self.result {
        _ = try StoreImporter().import(archive, to: other.file("Copy.sqlite"))
      }
    }
    var found: Set<String> = []
    results["verify"] = Self.result {
      var options = VerificationOptions()
      options.isDeep = true
      _ = try Verifier(options: options).verify(path) {
        found.insert($0.code.text)
      }
    }
    findings = found
    results["inspect"] = Self.result { _ = try StoreInspector().inspect(path) }
    let sample = other.file("Sample.sqlite")
    try SampleStore.write(to: sample)
    results["diff"] = Self.result { _ = try differences(sample, path) }
    #expect(try FolderState(of: folder) == before)
    #expect(
      try other.contents().filter { !$0.hasPrefix("Sample.") && !$0.hasPrefix(".Sample") }
        .allSatisfy {
          ["Store.coffer.tar.gz", "Copy.sqlite"].contains($0) || $0.hasPrefix(".Copy_SUPPORT/")
        })
  }

  /// Contradictions between two commands: a verification must find everything that prevents an export or an
  /// import.
  var contradictions: [String] {
    var found: [String] = []
    let isSound = results["verify"] == "done" && findings.isEmpty
    for command in ["export", "import"] where isSound {
      if let result = results[command], result != "done" {
        found.append("\(command) ends with \(result), and verify finds nothing")
      }
    }
    if results["export"] == "done", results["inspect"] != "done" {
      found.append("export is done, inspect ends with \(results["inspect"] ?? "nothing")")
    }
    return found
  }

  /// Whether every command came to its end.
  var isDone: Bool { results.values.allSatisfy { $0 == "done" } }

  private static func result(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "done"
    } catch let error as CofferError {
      return error.code.text
    } catch {
      Issue.record("an error without a code: \(error)")
      return "\(error)"
    }
  }
}
