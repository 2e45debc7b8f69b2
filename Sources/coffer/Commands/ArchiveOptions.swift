internal import ArgumentParser
internal import CofferKit

/// The options of every command that reads archives.
struct ArchiveOptions: ParsableArguments {
  /// How archives are read.
  ///
  /// - Throws: what reading the files that the options name throws.
  func access() throws -> ArchiveAccess { ArchiveAccess() }
}
